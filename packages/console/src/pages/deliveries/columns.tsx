import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Item } from "@waypost/sdk";
import { endpointsQuery } from "../../api/queries/webhooks.ts";
import type { Column } from "../../parts/DataTable.tsx";
import { EventKind } from "../../parts/EventKind.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

export type Delivery = Item<"deliveries.list">;
const names = text.deliveries;

const STATUS: Column<Delivery> = {
  key: "status",
  head: names.status,
  narrow: "end",
  cell: ({ status }) => <Status state={status} />,
};
const KIND: Column<Delivery> = {
  key: "kind",
  head: names.kind,
  narrow: "lead",
  isLink: true,
  cell: ({ kind }) => <EventKind kind={kind} />,
};
const TRIES: Column<Delivery> = {
  key: "tries",
  head: names.tries,
  isFigure: true,
  cell: ({ attempt }) => names.count(attempt),
};
const TIMES: readonly Column<Delivery>[] = [
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

/** Of deliveries to one endpoint. */
export const COLUMNS: readonly Column<Delivery>[] = [
  STATUS,
  { ...KIND, isWide: true },
  { ...TRIES, narrow: "second" },
  ...TIMES,
];

/** The same of deliveries to several. */
export const COLUMNS_OF_ALL: readonly Column<Delivery>[] = [
  STATUS,
  KIND,
  {
    key: "endpoint",
    head: names.endpoint,
    narrow: "second",
    isWide: true,
    cell: ({ webhook_endpoint_id: id }) => <EndpointLink id={id} />,
  },
  TRIES,
  ...TIMES,
];

/** By its address; by its id once it was deleted. */
function EndpointLink({ id }: { id: string }) {
  const { data } = useQuery(endpointsQuery);
  const endpoint = data?.find((one) => one.id === id);
  if (endpoint === undefined) return <span className="mono">{id}</span>;
  return (
    <Link {...paths.endpoint(id)}>
      <bdi>{endpoint.url}</bdi>
    </Link>
  );
}
