import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Item } from "@waypost/sdk";
import { workspacesQuery } from "../../api/queries/operator.ts";
import { enterWorkspace } from "../../api/session.ts";
import { CopyId } from "../../parts/Copy.tsx";
import controls from "../../parts/controls.module.css";
import { type Column, DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { changeWorkspace } from "../../shell/change-workspace.ts";
import { text } from "../../text/text.ts";

type Workspace = Item<"workspaces.list">;
const route = getRouteApi("/app/operator/workspaces");
const names = text.workspaces.columns;

const CREATE = "waypost workspace create --name Acme";

/** The workspaces of the gateway, for its operator, who can enter each. */
export function WorkspacesPage() {
  const { cursor } = route.useSearch();
  const { session } = route.useRouteContext();
  const { data, error, refetch, isPlaceholderData } = useQuery(workspacesQuery(cursor));
  const enter = useMutation({
    mutationFn: (id: string) => changeWorkspace(session.id, () => enterWorkspace(id), ""),
  });
  const columns: readonly Column<Workspace>[] = [
    { key: "name", head: names.name, narrow: "lead", isWide: true, cell: ({ name }) => <span dir="auto">{name}</span> },
    { key: "id", head: text.message.id, narrow: "second", cell: ({ id }) => <CopyId id={id} /> },
    { key: "status", head: names.status, cell: ({ status }) => <Status state={status} /> },
    { key: "created", head: names.created, isFigure: true, cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: "enter",
      head: names.enter,
      narrow: "end",
      isFigure: true,
      cell: ({ id, name }) => (
        <button
          type="button"
          className={controls["button"]}
          aria-label={text.workspaces.enterNamed(name)}
          disabled={enter.isPending}
          onClick={() => enter.mutate(id)}
        >
          {text.workspaces.enter}
        </button>
      ),
    },
  ];
  return (
    <>
      <PageHead title={text.workspaces.title} lead={text.workspaces.lead} />
      {enter.error !== null && <Problem error={enter.error} />}
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={text.loading} />}
      {data?.data.length === 0 && (
        <Empty title={text.workspaces.empty}>
          <p className="muted">{text.workspaces.emptyHelp}</p>
          <pre tabIndex={0}>{CREATE}</pre>
        </Empty>
      )}
      {data !== undefined && data.data.length > 0 && (
        <>
          <DataTable
            label={text.workspaces.title}
            columns={columns}
            rows={data.data}
            keyOf={({ id }) => id}
            isStale={isPlaceholderData}
          />
          <Pages
            older={data.nextCursor === null ? null : { ...paths.workspaces(), search: { cursor: data.nextCursor } }}
            newest={cursor === undefined ? null : paths.workspaces()}
          />
        </>
      )}
    </>
  );
}
