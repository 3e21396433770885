import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { EmbeddedSignup, PhoneNumber } from "@waypost/sdk";
import { numbersQuery, signupsQuery } from "../../api/queries/numbers.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { grouped } from "../../parts/phone-number.ts";
import { Sections } from "../../parts/Sections.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { Accounts } from "./Accounts.tsx";
import { NewLink } from "./NewLink.tsx";
import styles from "./numbers.module.css";
import { SetupLinks } from "./SetupLinks.tsx";

const words = text.numbers;
const route = getRouteApi("/app/workspace/numbers");

/** The numbers, their accounts, and the signups by which accounts came. */
export function NumbersPage() {
  const { open } = route.useSearch();
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <ConnectLink />
        <ActionLink scope="accounts:write" {...paths.numbers({ open: "link" })}>
          {words.links.send}
        </ActionLink>
        <CopyCurl path={"v1/phone-numbers"} />
      </PageHead>
      <Sections>
        <Numbers />
        <Accounts />
        <Signups />
        <SetupLinks />
      </Sections>
      {open === "link" && <NewLink />}
    </>
  );
}

const ConnectLink = () => (
  <ActionLink scope="accounts:write" look="primary" {...paths.connect()}>
    {words.connect}
  </ActionLink>
);

const COLUMNS: readonly Column<PhoneNumber>[] = [
  {
    key: "phone",
    head: words.columns.phone,
    narrow: "lead",
    isWide: true,
    isLink: true,
    cell: (row) => <Phone number={row} />,
  },
  {
    key: "status",
    head: words.columns.status,
    narrow: "end",
    cell: ({ status }) => <Status state={status} />,
  },
  {
    key: "quality",
    head: words.columns.quality,
    narrow: "second",
    cell: ({ quality }) => words.quality[quality] ?? quality,
  },
  {
    key: "speed",
    head: words.columns.speed,
    isFigure: true,
    cell: ({ throughput_per_second: speed }) => speed,
  },
  {
    key: "limit",
    head: words.columns.limit,
    isFigure: true,
    cell: ({ messaging_limit: { limit, used } }) => (limit === null ? words.noLimit : words.used(used ?? 0, limit)),
  },
];

function Phone({ number: { phone, verified_name: name, is_default: isDefault } }: { number: PhoneNumber }) {
  return (
    <span className={styles["phone"]}>
      <bdi dir="ltr">{grouped(phone)}</bdi>
      <span>
        {name !== null && <bdi>{name}</bdi>}
        {isDefault && <em>{words.default}</em>}
      </span>
    </span>
  );
}

function Numbers() {
  const { data, error, refetch } = useQuery(numbersQuery);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} rows={4} />;
  if (data.length === 0)
    return (
      <Empty title={words.empty} example={EXAMPLES.account}>
        <p className="muted">{words.emptyHelp}</p>
        <ConnectLink />
      </Empty>
    );
  return (
    <DataTable
      label={words.title}
      columns={COLUMNS}
      rows={data}
      keyOf={({ id }) => id}
      linkOf={({ id }) => paths.number(id)}
    />
  );
}

const SIGNUP_COLUMNS: readonly Column<EmbeddedSignup>[] = [
  {
    key: "account",
    head: words.signupColumns.account,
    narrow: "lead",
    isWide: true,
    isLink: true,
    cell: ({ provider_account_id: account, id }) => account ?? id,
  },
  {
    key: "status",
    head: words.signupColumns.status,
    narrow: "end",
    cell: ({ status }) => <Status state={status} />,
  },
  {
    key: "created",
    head: words.signupColumns.created,
    narrow: "second",
    cell: ({ created_at: at }) => <Time at={at} />,
  },
];

function Signups() {
  const { data } = useQuery(signupsQuery);
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-labelledby="signups-title">
      <h2 id="signups-title">{words.signups}</h2>
      <DataTable
        label={words.signups}
        columns={SIGNUP_COLUMNS}
        rows={data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => paths.signup(id)}
      />
    </section>
  );
}
