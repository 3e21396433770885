import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Item } from "@waypost/sdk";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { workspacesQuery } from "../../api/queries/operator.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { type Column, DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { EXAMPLES } from "../../parts/examples.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { EnterButton } from "./EnterButton.tsx";
import { NewWorkspace } from "./NewWorkspace.tsx";

const route = getRouteApi("/app/operator/workspaces");
const words = text.workspaces;
const names = words.columns;
/** Any operator may: it has no scopes. */
const ANY = "*";

const COLUMNS: readonly Column<Item<"workspaces.list">>[] = [
  {
    key: "name",
    head: names.name,
    narrow: "lead",
    isWide: true,
    isLink: true,
    cell: ({ name }) => <span dir="auto">{name}</span>,
  },
  { key: "id", head: text.message.id, narrow: "second", cell: ({ id }) => <CopyId id={id} /> },
  { key: "status", head: names.status, narrow: "second-end", cell: ({ status }) => <Status state={status} /> },
  { key: "created", head: names.created, isFigure: true, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    key: "enter",
    head: names.enter,
    narrow: "end",
    isFigure: true,
    cell: ({ id, name }) => <EnterButton id={id} name={name} />,
  },
];

/** The workspaces of the gateway, for its operator, who can enter each. */
export function WorkspacesPage() {
  const { open, cursor } = route.useSearch();
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <CreateLink />
        <CopyCurl path={`admin/v1/workspaces${stringifySearch({ cursor })}`} />
      </PageHead>
      <Rows />
      {open === "new" && <NewWorkspace />}
    </>
  );
}

const CreateLink = () => (
  <ActionLink scope={ANY} look="primary" {...paths.workspaces({ open: "new" })}>
    {words.create}
  </ActionLink>
);

function Rows() {
  const { cursor } = route.useSearch();
  const list = useQuery(workspacesQuery(cursor));
  const { data, error, refetch, isPlaceholderData } = list;
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} />;
  if (hasNothing(list, cursor))
    return (
      <Empty title={words.empty} example={EXAMPLES.workspace}>
        <p className="muted">{words.emptyHelp}</p>
        <CreateLink />
      </Empty>
    );
  return (
    <>
      <DataTable
        label={words.title}
        columns={COLUMNS}
        rows={data.data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => paths.workspace(id)}
        isStale={isPlaceholderData}
      />
      <Pages
        older={data.nextCursor === null ? null : paths.workspaces({ cursor: data.nextCursor })}
        newest={cursor === undefined ? null : paths.workspaces()}
      />
    </>
  );
}
