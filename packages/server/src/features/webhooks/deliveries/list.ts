import type { TxCtx } from "../../../ctx.ts";
import { callWithin } from "../../../db/call-within.ts";
import { SLOTS } from "../../../lanes/lane-kinds.ts";
import { timeOfUuid, uuidFloor } from "../../../lib/ids.ts";
import {
  type DeliveryEndpoint,
  type DeliveryRow,
  LOOK,
  type Looked,
  selectDeliveryIds,
  selectDeliveryRowsById,
  selectStoredRows,
} from "./delivery.store.ts";
import { eventsAbout, OUT_OF_ORDER_MS, type WaitingAsk, waitingDeliveries } from "./waiting.store.ts";

const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** What a list asks for; ids from `from` on and below `below` and the cursor `before`. */
export type DeliveryFilter = {
  status: DeliveryRow["status"] | null;
  kind: string | null;
  from: string | null;
  below: string | null;
  before: string | null;
  /** The endpoints that it is about: one, all of the workspace and deleted ones too, or some. */
  endpoints: readonly DeliveryEndpoint[];
  are: "one" | "all" | "some";
};

/** Events that a page about a message or a person looks at, and its time; such requests of a workspace run one after the other. */
const ABOUT_LOOK = 20_000;
const ABOUT_BUDGET_MS = 50;

type Stores = Pick<TxCtx, "sql" | "workspaceId" | "now">;

/**
 * Deliveries, the newest first: rows with a first outcome, and queue rows that have none yet. These are read before those, so that one
 * that is just being stored is in one of them at least. What is looked at has a bound, so that a page may end before it is full.
 */
export async function findDeliveries(ctx: Stores, filter: DeliveryFilter, limit: number): Promise<Looked<DeliveryRow>> {
  const waiting = await findWaiting(ctx, filter, limit);
  const stored = await selectStoredRows(ctx.sql, ctx.workspaceId, storedFilter(filter), limit);
  return merged(filter, [...waiting, stored]);
}

/** The same of the events about a message or a person. */
export async function findDeliveriesAbout(
  ctx: Stores,
  filter: DeliveryFilter,
  about: { messageId: string | null; contactIds: readonly string[] | null },
  limit: number,
): Promise<Looked<DeliveryRow>> {
  const { sql, workspaceId, now } = ctx;
  const { lowest, below } = rangeOf(filter);
  const ask = {
    workspace_id: workspaceId,
    message_id: about.messageId,
    contact_ids: about.contactIds === null ? null : [...about.contactIds],
    kind: filter.kind,
    // Deliveries have the milliseconds of their events, in another order within each.
    lowest: uuidFloor(timeOfUuid(lowest)),
    below: below === HIGHEST ? HIGHEST : uuidFloor(timeOfUuid(below) + 1),
    most: limit,
    look: ABOUT_LOOK,
    budget_ms: ABOUT_BUDGET_MS,
  };
  const [answer] = await callWithin(sql, eventsAbout, [ask], now);
  if (!answer) throw new Error("events about a message have no answer");
  const reached = answer.reached === null ? null : uuidFloor(timeOfUuid(answer.reached));
  const endpoints = new Map(filter.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const ids = await selectDeliveryIds(sql, answer.events, [...endpoints.keys()]);
  const within = ids.filter(({ id }) => id >= lowest && id < below);
  const asks = within.flatMap(({ id, endpoint_id }) => {
    const endpoint = endpoints.get(endpoint_id);
    return endpoint === undefined
      ? []
      : [askOf(ctx, endpoint, { ...ofTime(id), delivery_id: id, kind: null, most: 1 })];
  });
  const waiting = await askWaiting(ctx, asks, filter.endpoints);
  const stored = await selectDeliveryRowsById(
    sql,
    workspaceId,
    within.map(({ id }) => id),
  );
  const rows = [...waiting.flatMap((one) => one.rows), ...stored];
  return merged(filter, [{ rows, reached }]);
}

/** A delivery of the queue without a first outcome; null: there is none. */
export async function findWaitingDelivery(
  ctx: Stores,
  endpoint: DeliveryEndpoint,
  id: string,
): Promise<DeliveryRow | null> {
  const ask = askOf(ctx, endpoint, { ...ofTime(id), delivery_id: id, kind: null, most: 1 });
  const [found] = await askWaiting(ctx, [ask], [endpoint]);
  return found?.rows[0] ?? null;
}

/** The delivery with what is true of it while its endpoint is switched off, whatever was true when the last attempt ended. */
export function asItStands<Row extends DeliveryRow>(row: Row, isEnabled: boolean): Row {
  if (row.status !== "pending" && row.status !== "parked") return row;
  return isEnabled ? { ...row, status: "pending" } : { ...row, status: "parked", next_attempt_at: null };
}

function merged(filter: DeliveryFilter, parts: readonly Looked<DeliveryRow>[]): Looked<DeliveryRow> {
  const enabled = new Set(filter.endpoints.filter((endpoint) => endpoint.enabled).map(({ id }) => id));
  const reached = parts.map((part) => part.reached ?? LOWEST).reduce((a, b) => (a > b ? a : b), LOWEST);
  // Of two rows of one delivery the stored one comes later.
  const byId = new Map(parts.flatMap(({ rows }) => rows).map((row) => [row.id, row]));
  const rows = [...byId.values()]
    .map((row) => asItStands(row, enabled.has(row.webhook_endpoint_id)))
    .filter(({ id, status, kind }) => id >= reached && isAsked(filter.status, status) && isAsked(filter.kind, kind))
    .sort((a, b) => (a.id < b.id ? 1 : -1));
  return { rows, reached: reached === LOWEST ? null : reached };
}

const isAsked = (asked: string | null, value: string): boolean => asked === null || asked === value;

async function findWaiting(ctx: Stores, filter: DeliveryFilter, limit: number): Promise<Looked<DeliveryRow>[]> {
  const { status, kind } = filter;
  if (status === "succeeded" || status === "failed") return [];
  const endpoints = filter.endpoints.filter(({ enabled }) => status === null || enabled === (status === "pending"));
  const asks = endpoints.map((endpoint) =>
    askOf(ctx, endpoint, { ...rangeOf(filter), delivery_id: null, kind, most: limit }),
  );
  return await askWaiting(ctx, asks, filter.endpoints);
}

type Asked = Pick<WaitingAsk, "lowest" | "below" | "delivery_id" | "kind" | "most">;

const askOf = ({ workspaceId }: Stores, { id, lane }: DeliveryEndpoint, asked: Asked): WaitingAsk => ({
  workspace_id: workspaceId,
  endpoint_id: id,
  slot: lane % SLOTS,
  lane,
  above: asked.below === HIGHEST ? HIGHEST : uuidFloor(timeOfUuid(asked.below) + OUT_OF_ORDER_MS),
  look: LOOK,
  ...asked,
});

/** The ids of a delivery's millisecond. */
const ofTime = (id: string): Pick<Asked, "lowest" | "below"> => ({
  lowest: uuidFloor(timeOfUuid(id)),
  below: uuidFloor(timeOfUuid(id) + 1),
});

async function askWaiting(
  { sql, now }: Stores,
  asks: readonly WaitingAsk[],
  endpoints: readonly DeliveryEndpoint[],
): Promise<Looked<DeliveryRow>[]> {
  const enabled = new Set(endpoints.filter((endpoint) => endpoint.enabled).map(({ id }) => id));
  const answers = await callWithin(sql, waitingDeliveries, asks, now);
  return answers.map(({ endpoint_id, deliveries, reached }) => ({
    rows: deliveries.map(({ id, event_id, kind, created_at, due }) => ({
      id,
      event_id,
      webhook_endpoint_id: endpoint_id,
      kind,
      status: enabled.has(endpoint_id) ? ("pending" as const) : ("parked" as const),
      attempt: 0,
      next_attempt_at: new Date(due),
      created_at: new Date(created_at),
      completed_at: null,
    })),
    reached: reached === null ? null : uuidFloor(reached),
  }));
}

function storedFilter(filter: DeliveryFilter): Parameters<typeof selectStoredRows>[2] {
  const { status, kind, endpoints, are } = filter;
  const isOpen = status === "pending" || status === "parked";
  const enabled = endpoints.filter((endpoint) => endpoint.enabled).map(({ id }) => id);
  const asked = isOpen ? endpoints.filter((endpoint) => endpoint.enabled === (status === "pending")) : endpoints;
  const ofSome = { ids: asked.map(({ id }) => id), of: true };
  return {
    ...rangeOf(filter),
    endpointId: are === "one" ? (endpoints[0]?.id ?? HIGHEST) : null,
    kind,
    statuses: status === null ? null : isOpen ? ["pending", "parked"] : [status],
    endpoints: are === "some" ? ofSome : isOpen ? { ids: enabled, of: status === "pending" } : null,
  };
}

function rangeOf({ from, below, before }: DeliveryFilter): { lowest: string; below: string } {
  const ends = [below, before].filter((end) => end !== null).sort();
  return { lowest: from ?? LOWEST, below: ends[0] ?? HIGHEST };
}
