import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Item } from "@waypost/sdk";
import { deliveryListQuery } from "../../api/queries/webhooks.ts";
import { type Column, DataTable, Pages } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { type Filter, FilterBar } from "../../parts/FilterBar.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { bare, placesOfId } from "../../shell/keys/by-id.ts";
import { text } from "../../text/text.ts";
import { endpointSearch, filtersIn, STATUSES } from "./search.ts";

type Delivery = Item<"deliveries.list">;
const route = getRouteApi("/app/workspace/endpoints/$id");
const names = text.deliveries;

const COLUMNS: readonly Column<Delivery>[] = [
  { key: "status", head: names.status, narrow: "end", cell: ({ status }) => <Status state={status} /> },
  { key: "kind", head: names.kind, narrow: "lead", isWide: true, isLink: true, cell: ({ kind }) => kind },
  { key: "tries", head: names.tries, narrow: "second", isFigure: true, cell: ({ attempt }) => names.count(attempt) },
  {
    key: "next",
    head: names.next,
    isFigure: true,
    cell: ({ next_attempt_at: at }) => at !== null && <Time at={at} />,
  },
  {
    key: "time",
    head: names.time,
    narrow: "second-end",
    isFigure: true,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
];

const FILTERS: readonly Filter[] = [
  {
    name: "status",
    label: names.status,
    kind: "choice",
    values: STATUSES,
    labelOf: (value) => text.status[value] ?? value,
  },
  { name: "kind", label: names.kind, kind: "text" },
  { name: "message_id", label: names.message, kind: "text" },
  { name: "contact_id", label: names.contact, kind: "text" },
  { name: "created_after", label: text.messages.filters.created_after, kind: "time" },
  { name: "created_before", label: text.messages.filters.created_before, kind: "time" },
];

/** What an endpoint was sent, newest first. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const { session } = route.useRouteContext();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filters = filtersIn(search);
  const go = (next: Parameters<typeof paths.endpoint>[1]): void => void navigate(paths.endpoint(endpointId, next));
  const find = (given: string): string | null => {
    const id = bare(given);
    const [place] = placesOfId(id, session);
    if (place === undefined) return text.places.badId;
    if (id.startsWith("msg_")) go({ ...filters, message_id: id });
    else if (id.startsWith("con_")) go({ ...filters, contact_id: id });
    else void navigate(place.link);
    return null;
  };
  return (
    <>
      <FilterBar
        filters={FILTERS}
        values={filters}
        onChange={(changed) => go(endpointSearch({ ...filters, ...changed }))}
        onClear={() => go({})}
        find={{ label: names.find, onFind: find }}
      />
      <Rows endpointId={endpointId} filters={filters} cursor={search.cursor} />
    </>
  );
}

type RowsProps = { endpointId: string; filters: ReturnType<typeof filtersIn>; cursor: string | undefined };

function Rows({ endpointId, filters, cursor }: RowsProps) {
  const asked = { webhook_endpoint_id: endpointId, ...filters, ...(cursor === undefined ? {} : { cursor }) };
  const { data, error, refetch, isPlaceholderData } = useQuery(deliveryListQuery(asked));
  if (data === undefined)
    return error === null ? <Skeleton label={text.loading} /> : <Problem error={error} retry={() => void refetch()} />;
  if (data.data.length === 0 && cursor === undefined && data.nextCursor === null)
    return Object.keys(filters).length > 0 ? (
      <Empty title={names.none}>
        <p className="muted">{names.noneHelp}</p>
      </Empty>
    ) : (
      <Empty title={names.empty}>
        <p className="muted">{names.emptyHelp}</p>
      </Empty>
    );
  return (
    <>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      <DataTable
        label={names.title}
        columns={COLUMNS}
        rows={data.data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => paths.delivery(id)}
        isStale={isPlaceholderData}
      />
      <Pages
        older={data.nextCursor === null ? null : paths.endpoint(endpointId, { ...filters, cursor: data.nextCursor })}
        newest={cursor === undefined ? null : paths.endpoint(endpointId, filters)}
      />
    </>
  );
}
