import { useQuery } from "@tanstack/react-query";
import { getRouteApi, type LinkProps, useNavigate } from "@tanstack/react-router";
import type { WebhookEndpoint } from "@waypost/sdk";
import { lazy, type ReactNode } from "react";
import { hasNothing } from "../../api/queries/has-nothing.ts";
import { deliveryListQuery } from "../../api/queries/webhooks.ts";
import { Beside, useOpenRow } from "../../parts/Beside.tsx";
import { DataTable, Pages } from "../../parts/DataTable.tsx";
import { NoneFit } from "../../parts/Empty.tsx";
import { kindFilter } from "../../parts/EventKind.tsx";
import { type Filter, FilterBar } from "../../parts/FilterBar.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { bare, placesOfId } from "../../shell/keys/by-id.ts";
import { text } from "../../text/text.ts";
import { COLUMNS, COLUMNS_OF_ALL } from "./columns.tsx";
import { type DeliveriesSearch, type DeliveryFilters, deliveryFilters, STATUSES } from "./search.ts";

const DeliveryView = lazy(async () => ({ default: (await import("../delivery/DeliveryView.tsx")).DeliveryView }));
const app = getRouteApi("/app");
const names = text.deliveries;

const FILTERS: readonly Filter[] = [
  {
    name: "status",
    label: names.status,
    kind: "choice",
    values: STATUSES,
    labelOf: (value) => text.status[value] ?? value,
  },
  kindFilter(names.kind),
  { name: "message_id", label: names.message, kind: "text" },
  { name: "contact_id", label: names.contact, kind: "text" },
  { name: "created_after", label: text.messages.filters.created_after, kind: "time" },
  { name: "created_before", label: text.messages.filters.created_before, kind: "time" },
];

const filterOf = (endpoints: readonly WebhookEndpoint[]): Filter => ({
  name: "webhook_endpoint_id",
  label: names.endpoint,
  kind: "choice",
  values: endpoints.map(({ id }) => id),
  labelOf: (id) => endpoints.find((one) => one.id === id)?.url ?? id,
});

type DeliveryListProps = {
  /** Those whose deliveries these may be; or the id of the only one. */
  of: readonly WebhookEndpoint[] | string;
  search: DeliveriesSearch;
  /** The page with these filters, at this place of the list. */
  linkOf(search: DeliveriesSearch): LinkProps;
  /** What is there without filters while there is no delivery. */
  empty: ReactNode;
};

/** What endpoints were sent, newest first, found by filters and ids. */
export function DeliveryList({ of, search, linkOf, empty }: DeliveryListProps) {
  const { session } = app.useRouteContext();
  const navigate = useNavigate();
  const isOfAll = typeof of !== "string";
  const filters = deliveryFilters(search);
  const go = (next: DeliveryFilters): void => void navigate(linkOf(next));
  const find = (given: string): string | null => {
    const id = bare(given);
    const [place] = placesOfId(id, session);
    if (place === undefined) return text.places.badId;
    if (id.startsWith("msg_")) go({ ...filters, message_id: id });
    else if (id.startsWith("con_")) go({ ...filters, contact_id: id });
    else if (id.startsWith("whe_") && isOfAll) go({ ...filters, webhook_endpoint_id: id });
    else void navigate(place.link);
    return null;
  };
  return (
    <>
      <FilterBar
        filters={isOfAll ? [filterOf(of), ...FILTERS] : FILTERS}
        values={filters}
        onChange={(changed) => go(deliveryFilters({ ...filters, ...changed }))}
        onClear={() => go({})}
        find={{ label: names.find, onFind: find }}
      />
      <Rows of={of} search={search} linkOf={linkOf} empty={empty} />
    </>
  );
}

/** A page of the list; on a wide screen with a delivery beside it, whose address is that of its own page. */
function Rows({ of, search, linkOf, empty }: DeliveryListProps) {
  const { cursor, beside } = search;
  const filters = deliveryFilters(search);
  const place = { ...filters, ...(cursor !== undefined && { cursor }) };
  const asked = { ...place, ...(typeof of === "string" && { webhook_endpoint_id: of }) };
  const list = useQuery(deliveryListQuery(asked));
  const { data, error, refetch, isPlaceholderData } = list;
  const row = useOpenRow({
    open: beside,
    list: (id) => linkOf({ ...place, ...(id !== undefined && { beside: id }) }),
    page: paths.delivery,
  });
  const isEmpty = hasNothing(list, cursor);
  return (
    <Beside row={row} keys={data?.data.map(({ id }) => id) ?? []} detail={beside && <DeliveryView id={beside} />}>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={text.loading} />}
      {isEmpty && (Object.keys(filters).length === 0 ? empty : <NoneFit title={names.none} all={linkOf({})} />)}
      {data !== undefined && !isEmpty && (
        <>
          <DataTable
            label={names.title}
            columns={typeof of === "string" ? COLUMNS : COLUMNS_OF_ALL}
            rows={data.data}
            keyOf={({ id }) => id}
            linkOf={({ id }) => row.linkTo(id)}
            isStale={isPlaceholderData}
            openKey={row.open}
          />
          <Pages
            older={data.nextCursor === null ? null : linkOf({ ...filters, cursor: data.nextCursor })}
            newest={cursor === undefined ? null : linkOf(filters)}
          />
        </>
      )}
    </Beside>
  );
}
