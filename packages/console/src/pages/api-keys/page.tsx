import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ApiKey } from "@waypost/sdk";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { apiKeysQuery } from "../../api/queries/settings.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { type Column, DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { now } from "../../parts/now.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import styles from "./api-keys.module.css";
import { keyColumnsAt } from "./columns.tsx";
import { NewKey } from "./NewKey.tsx";
import { Revoke } from "./Revoke.tsx";
import { RotateKey } from "./RotateKey.tsx";
import { stateOf } from "./state.ts";

const route = getRouteApi("/app/workspace/settings/keys");
const words = text.apiKeys;

/** The keys of the workspace; those that have ended are dimmed. */
export function ApiKeysPage() {
  const { open, key } = route.useSearch();
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <CreateLink />
        <CopyCurl path="v1/api-keys" />
      </PageHead>
      <Rows />
      {open === "new" && <NewKey />}
      {open === "rotate" && key !== undefined && <RotateKey id={key} />}
    </>
  );
}

const CreateLink = () => (
  <ActionLink scope="keys:write" look="primary" {...paths.apiKeys({ open: "new" })}>
    {words.create}
  </ActionLink>
);

function Rows() {
  const { cursor } = route.useSearch();
  const list = useQuery(apiKeysQuery(cursor));
  const { data, error, refetch, isPlaceholderData } = list;
  const current = useStore(now);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} />;
  if (hasNothing(list, cursor))
    return (
      <Empty title={words.empty} example={EXAMPLES.apiKey}>
        <CreateLink />
      </Empty>
    );
  return (
    <>
      <DataTable
        label={words.title}
        columns={[...keyColumnsAt(current), ACTIONS]}
        rows={data.data}
        keyOf={({ id }) => id}
        isStale={isPlaceholderData}
      />
      <Pages
        older={data.nextCursor === null ? null : paths.apiKeys({ cursor: data.nextCursor })}
        newest={cursor === undefined ? null : paths.apiKeys()}
      />
    </>
  );
}

const ACTIONS: Column<ApiKey> = {
  key: "actions",
  head: text.numbers.account.action,
  narrow: "second-end",
  isFigure: true,
  cell: (row) => <Actions apiKey={row} />,
};

function Actions({ apiKey }: { apiKey: ApiKey }) {
  const current = useStore(now);
  if (stateOf(apiKey, current).state !== "active") return null;
  return (
    <span className={styles["actions"]}>
      <ActionLink scope="keys:write" {...paths.apiKeys({ open: "rotate", key: apiKey.id })}>
        {words.rotate}
      </ActionLink>
      <Revoke apiKey={apiKey} />
    </span>
  );
}
