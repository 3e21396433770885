import { useQuery } from "@tanstack/react-query";
import type { BusinessProfile } from "@waypost/sdk";
import { profileQuery } from "../../api/queries/numbers.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { listOf } from "../../parts/list-of.ts";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./number.module.css";
import { nameOfVertical } from "./verticals.ts";

const words = text.number;

/** What people see of the business, as the provider has it. */
export function Profile({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(profileQuery(id));
  return (
    <section aria-labelledby="profile-title">
      <h2 id="profile-title">{words.profile}</h2>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={text.loading} rows={4} />}
      {data !== undefined && (
        <div className={styles["profile"]}>
          <p className="muted">{words.profileHelp}</p>
          {isEmpty(data) ? <p>{words.noProfile}</p> : <Filled profile={data} />}
          <ActionLink scope="accounts:write" {...paths.number(id, { open: "profile" })}>
            {words.editProfile}
          </ActionLink>
        </div>
      )}
    </section>
  );
}

type Shown = Pick<BusinessProfile, "about" | "description" | "address" | "email" | "websites" | "vertical">;

const isEmpty = ({ about, description, address, email, websites, vertical }: Shown): boolean =>
  [about, description, address, email, vertical].every((one) => !one) && websites.length === 0;

const Filled = ({ profile: data }: { profile: Shown }) => (
  <Facts>
    <Fact name={words.fields.about}>{data.about && <span dir="auto">{data.about}</span>}</Fact>
    <Fact name={words.fields.description}>
      {data.description && (
        <span dir="auto" className={styles["lines"]}>
          {data.description}
        </span>
      )}
    </Fact>
    <Fact name={words.fields.address}>
      {data.address && (
        <span dir="auto" className={styles["lines"]}>
          {data.address}
        </span>
      )}
    </Fact>
    <Fact name={words.fields.email}>{data.email && <bdi>{data.email}</bdi>}</Fact>
    <Fact name={words.fields.websites}>{listOf(data.websites)}</Fact>
    <Fact name={words.fields.vertical}>{data.vertical && nameOfVertical(data.vertical)}</Fact>
  </Facts>
);
