import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { workspaceKeysQuery } from "../../api/queries/operator.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { now } from "../../parts/now.ts";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import { keyColumnsAt } from "../api-keys/columns.tsx";
import styles from "./workspace.module.css";

const route = getRouteApi("/app/operator/workspaces/$id");
const words = text.workspace;

/** The keys of a workspace, those that have ended too. */
export function Keys({ id }: { id: string }) {
  return (
    <section aria-labelledby="keys-title">
      <div className={styles["head"]}>
        <div>
          <h2 id="keys-title">{words.keys}</h2>
          <p className="muted">{words.keysHelp}</p>
        </div>
        <CreateLink id={id} />
      </div>
      <Rows id={id} />
    </section>
  );
}

const CreateLink = ({ id }: { id: string }) => (
  <ActionLink scope="*" {...paths.workspace(id, { open: "key" })}>
    {text.apiKeys.create}
  </ActionLink>
);

function Rows({ id }: { id: string }) {
  const { cursor } = route.useSearch();
  const list = useQuery(workspaceKeysQuery(id, cursor));
  const { data, error, refetch, isPlaceholderData } = list;
  const current = useStore(now);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} rows={3} />;
  if (hasNothing(list, cursor))
    return (
      <Empty
        title={words.noKeys}
        example={{ ...EXAMPLES.apiKey, path: `admin/v1/workspaces/${encodeURIComponent(id)}/api-keys` }}
      >
        <p className="muted">{words.noKeysHelp}</p>
        <CreateLink id={id} />
      </Empty>
    );
  return (
    <>
      <DataTable
        label={words.keys}
        columns={keyColumnsAt(current)}
        rows={data.data}
        keyOf={({ id: key }) => key}
        isStale={isPlaceholderData}
      />
      <Pages
        older={data.nextCursor === null ? null : paths.workspace(id, { cursor: data.nextCursor })}
        newest={cursor === undefined ? null : paths.workspace(id)}
      />
    </>
  );
}
