import { useQuery } from "@tanstack/react-query";
import { getRouteApi, type LinkProps } from "@tanstack/react-router";
import type { AuditActivity } from "@waypost/sdk";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { activityQuery } from "../../api/queries/settings.ts";
import { Beside, useOpenRow } from "../../parts/Beside.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty, NoneFit } from "../../parts/Empty.tsx";
import { type Filter, FilterBar } from "../../parts/FilterBar.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { actionName } from "./action-name.ts";
import { CallDetail } from "./CallDetail.tsx";
import { COLUMNS } from "./columns.tsx";
import { type ActivitySearch, activitySearch, askedOf } from "./search.ts";

const words = text.activity;
const ofWorkspace = getRouteApi("/app/workspace/activity");
const ofOperator = getRouteApi("/app/operator/audit");

/** Calls of the workspace. */
export function ActivityPage() {
  const navigate = ofWorkspace.useNavigate();
  return (
    <Calls
      search={ofWorkspace.useSearch()}
      isOperator={false}
      linkTo={paths.activity}
      onGo={(search) => void navigate(paths.activity(search))}
    />
  );
}

/** Calls of the operator. */
export function OperatorAuditPage() {
  const navigate = ofOperator.useNavigate();
  return (
    <Calls
      search={ofOperator.useSearch()}
      isOperator
      linkTo={paths.operatorAudit}
      onGo={(search) => void navigate(paths.operatorAudit(search))}
    />
  );
}

type Place = {
  search: ActivitySearch;
  isOperator: boolean;
  linkTo(search: ActivitySearch): LinkProps;
  onGo(search: ActivitySearch): void;
};

const FILTERS: readonly (Filter & { name: keyof typeof words.filters })[] = [
  { name: "actor", label: words.filters.actor, kind: "text" },
  { name: "action", label: words.filters.action, kind: "text" },
  { name: "resource", label: words.filters.resource, kind: "text" },
  { name: "status", label: words.filters.status, kind: "text" },
  { name: "at_after", label: words.filters.at_after, kind: "time" },
  { name: "at_before", label: words.filters.at_before, kind: "time" },
];

function Calls({ search, isOperator, linkTo, onGo }: Place) {
  const { cursor: _cursor, open: _open, ...filters } = search;
  const path = isOperator ? "admin/v1/audit" : "v1/audit/activity";
  const find = (given: string): null => {
    const isId = /^[a-z]{2,4}_[0-9a-z]{10,40}$/i.test(given);
    const name = !isId ? "action" : given.startsWith("key_") ? "actor" : "resource";
    onGo({ ...filters, [name]: given });
    return null;
  };
  return (
    <>
      <PageHead title={isOperator ? text.nav.audit : words.title} lead={words.lead}>
        <CopyCurl path={`${path}${stringifySearch(askedOf(search))}`} />
      </PageHead>
      <FilterBar
        filters={FILTERS}
        values={filters}
        onChange={(changed) => onGo(activitySearch({ ...filters, ...changed }))}
        onClear={() => onGo({})}
        find={{ label: words.find, onFind: find }}
      />
      <Rows search={search} isOperator={isOperator} linkTo={linkTo} />
    </>
  );
}

function Rows({ search, isOperator, linkTo }: Omit<Place, "onGo">) {
  const read = useQuery(activityQuery(askedOf(search), isOperator));
  const { data, error, refetch, isPlaceholderData } = read;
  const { open, ...list } = search;
  const { cursor, ...filters } = list;
  const opened = data?.data.find(({ id }) => id === open);
  const row = useOpenRow({ open: opened?.id, list: (id) => linkTo(id === undefined ? list : { ...list, open: id }) });
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} />;
  if (hasNothing(read, cursor)) return <Nothing all={Object.keys(filters).length > 0 ? linkTo({}) : null} />;
  return (
    <Beside
      row={row}
      keys={data.data.map(({ id }) => id)}
      title={opened === undefined ? "" : (actionName(opened.action) ?? opened.action)}
      detail={opened && <CallDetail call={opened} />}
    >
      <DataTable<AuditActivity>
        label={isOperator ? text.nav.audit : words.title}
        columns={COLUMNS}
        rows={data.data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => row.linkTo(id)}
        isStale={isPlaceholderData}
        openKey={row.open}
      />
      <Pages
        older={data.nextCursor === null ? null : linkTo({ ...filters, cursor: data.nextCursor })}
        newest={cursor === undefined ? null : linkTo(filters)}
      />
    </Beside>
  );
}

/** `all`: the list without its filters; null where it has none. */
const Nothing = ({ all }: { all: LinkProps | null }) =>
  all === null ? <Empty title={words.empty} /> : <NoneFit title={words.none} all={all} />;
