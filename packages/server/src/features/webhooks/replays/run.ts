import type { App } from "../../../ctx.ts";
import { callWithin } from "../../../db/call-within.ts";
import type { Sql } from "../../../db/database.ts";
import { slotOf } from "../../../lanes/lane-kinds.ts";
import { DAY_MS } from "../../../lib/duration.ts";
import { timeOfUuid, uuidBefore, uuidFloor } from "../../../lib/ids.ts";
import type { Task } from "../../tasks/lane.ts";
import { type Batch, ComesBack, type LongTask, LongTasks, type Stepped, Unfinishable } from "../../tasks/long-task.ts";
import type { Turn } from "../../tasks/turn.ts";
import { OUT_OF_ORDER_MS, waitingDeliveries } from "../deliveries/waiting.store.ts";
import { type EndpointRow, selectEndpointRow } from "../endpoints/endpoint.store.ts";
import type { Envelopes } from "../provider-format/envelopes.ts";
import { askRedeliveries } from "../redeliver/ask.store.ts";
import { lookAgainMs, roomAhead } from "./ahead.ts";
import {
  type Candidate,
  endReplayRow,
  type Found,
  REPLAYS,
  type RunRow,
  selectEvents,
  selectFailed,
  selectRunRow,
  updateReplayRow,
} from "./replay.store.ts";
import { isLimited, LONGEST_DAYS } from "./replay.ts";

/**
 * Events, or deliveries, that are looked at together. A look takes some ten milliseconds whatever it finds; steps, which hold back the feed,
 * are shorter, and what is found is asked for in several.
 */
const LOOK_ROWS = 1_000;
/** Of the events of a look, while it is found out of which the provider's format has something. */
const ENVELOPES_AT_ONCE = 200;
/** Rows of the queue among which those of a page are looked for; so many are there only while processes disagree about the time. */
const QUEUE_LOOK = 1_000_000;
/** Until a replay looks again whether its endpoint is enabled. */
const DISABLED_MS = 30_000;

/** `next` is where the replay stands without the batch: its items are in the order of conversations, and have no places of their own. */
type Item = Candidate & { next: string; isRefused: boolean };

/** The replays of this process. */
export const replaysOf = (app: App, envelopes: Envelopes): LongTasks<RunRow, Item, never> =>
  new LongTasks(app, replayTask(app, envelopes));

const replayTask = (app: App, envelopes: Envelopes): LongTask<RunRow, Item, never> => ({
  name: "a replay",
  table: REPLAYS,
  idOf: (payload) => (payload as { replay_id: string }).replay_id, // as `createReplay` wrote it
  select: selectRunRow,
  batches: (row, turn, task) => batchesOf({ app, envelopes }, row, turn, task),
  step: (sql, row, batch) => ask(app, sql, row, batch),
  refused: (item) => (item.isRefused ? null : { ...item, isRefused: true }),
  insertErrors: () => Promise.resolve(),
  mostErrors: 0,
  async end(sql, workspaceId, id, end) {
    return (await endReplayRow(sql, workspaceId, id, end)) ? { replay_id: id } : null;
  },
});

async function* batchesOf(
  { app, envelopes }: { app: App; envelopes: Envelopes },
  row: RunRow,
  turn: Turn,
  { workspaceId }: Task,
): AsyncGenerator<Batch<Item>> {
  const end = endOfRange(row);
  for (let place = row.place, times = 1; place < end; ) {
    const began = performance.now();
    const page = { after: place, below: end, times };
    const found = await app.db.read(workspaceId, (sql) => look(app, sql, row, page));
    const candidates = await withEnvelope(envelopes, workspaceId, found);
    await turn.rest(performance.now() - began);
    const reached = found.isFull && found.last !== null ? uuidBefore(uuidFloor(timeOfUuid(found.last))) : end;
    // Events of one millisecond stay together; here they are more than a look.
    if (reached <= place) {
      times *= 4;
      continue;
    }
    yield* stepsOf(candidates, { place, reached, turn });
    place = reached;
    times = 1;
  }
  if (!row.dry_run) await app.db.read(workspaceId, (sql) => requireEnded(app, sql, row));
}

/** What is scheduled ends by the lanes, and counts itself. Where none can take what is left, the replay has not done what it was asked for. */
async function requireEnded(
  { clock, config }: App,
  sql: Sql,
  { workspace_id: workspaceId, id }: RunRow,
): Promise<void> {
  const row = await selectRunRow(sql, workspaceId, id);
  if (row === null) return;
  if (row.ended < row.scheduled) throw new ComesBack(lookAgainMs({ clock }, row));
  if (row.ended === row.succeeded) return;
  const endpoint = await selectEndpointRow(sql, workspaceId, row.webhook_endpoint_id);
  if (endpoint === null) throw endpointDeleted();
  if (!endpoint.enabled && row.created_after.getTime() < parkedSince(clock, config)) throw endpointDisabled();
}

const endpointDeleted = (): Unfinishable => new Unfinishable("endpoint_deleted", "The endpoint was deleted meanwhile.");
const endpointDisabled = (): Unfinishable =>
  new Unfinishable("endpoint_disabled", "The endpoint stayed disabled for longer than deliveries wait for it.");

/** Milliseconds: events of before are not kept for an endpoint that is disabled. */
const parkedSince = (clock: App["clock"], { RETENTION_DAYS }: App["config"]): number =>
  clock.now() - Math.max(LONGEST_DAYS, RETENTION_DAYS.events) * DAY_MS;

/** Those that the endpoint gets something of: in the provider's format there are events, as of its own kinds, that have no envelope. */
async function withEnvelope(
  envelopes: Envelopes,
  workspaceId: string,
  { candidates, fields }: FoundFor,
): Promise<readonly Candidate[]> {
  if (fields === null) return candidates;
  const having: Candidate[] = [];
  for (let at = 0; at < candidates.length; at += ENVELOPES_AT_ONCE) {
    const some = candidates.slice(at, at + ENVELOPES_AT_ONCE);
    const has = await Promise.all(some.map(({ event_id }) => envelopes.has(workspaceId, event_id, fields)));
    having.push(...some.filter((_, index) => has[index]));
  }
  return having;
}

/** What was found up to `reached`, in batches of about `turn.rows`: each of whole milliseconds, and in the order of conversations. */
function* stepsOf(
  found: readonly Candidate[],
  { place, reached, turn }: { place: string; reached: string; turn: Turn },
): Generator<Batch<Item>> {
  let left = found.filter(({ id }) => id <= reached).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (let next = place; next < reached; ) {
    const last = left[turn.rows];
    const behind = last === undefined ? reached : lastOfMillisecond(last.id);
    const step = left.filter(({ id }) => id <= behind);
    left = left.slice(step.length);
    const items = step
      .toSorted((a, b) => (BigInt(a.sequence) < BigInt(b.sequence) ? -1 : 1))
      .map((one) => ({ ...one, next, isRefused: false }));
    yield { items, behind };
    next = behind;
  }
}

/** The highest id of the same millisecond. */
const lastOfMillisecond = (id: string): string => uuidBefore(uuidFloor(timeOfUuid(id) + 1));

/** With the fields of an endpoint in the provider's format. */
type FoundFor = Found & { fields: readonly string[] | null };

const endOfRange = (row: Pick<RunRow, "created_before">): string => uuidFloor(row.created_before.getTime());

/** What a replay would ask for of a page of events, or of deliveries that failed; `times` as long as it needs to be. */
async function look(
  app: App,
  sql: Sql,
  row: RunRow,
  { after, below, times }: { after: string; below: string; times: number },
): Promise<FoundFor> {
  const { workspace_id: workspaceId, webhook_endpoint_id: endpointId, events, only_those: only } = row;
  const endpoint = await selectEndpointRow(sql, workspaceId, endpointId);
  if (endpoint === null) throw endpointDeleted();
  if (!endpoint.enabled && !row.dry_run) {
    if (row.created_before.getTime() < parkedSince(app.clock, app.config)) throw endpointDisabled();
    throw new ComesBack(DISABLED_MS);
  }
  const room = row.dry_run ? LOOK_ROWS : await roomAhead(app, sql, row, endpoint);
  const range = { after, below, limit: Math.min(LOOK_ROWS, room) * times, endpointId, events };
  const { fields } = endpoint;
  if (only === "failed") return { ...(await selectFailed(sql, workspaceId, range)), fields };
  const found = { ...(await selectEvents(sql, workspaceId, range)), fields };
  // What an endpoint with limits may get was decided when the event was written: of others it is sent nothing later either.
  if (isLimited(endpoint))
    return {
      ...found,
      candidates: found.candidates.filter(({ status }) => status === "failed" || status === "succeeded"),
    };
  const waiting = await waitingOf(app, sql, { workspaceId, endpoint, found });
  const isAsked = ({ status, delivery_id }: Candidate): boolean =>
    status === null ? !waiting.has(delivery_id) : only === "all" && (status === "failed" || status === "succeeded");
  return { ...found, candidates: found.candidates.filter(isAsked) };
}

/** Those of the events whose delivery is in the queue and was never attempted. */
async function waitingOf(
  { clock }: App,
  sql: Sql,
  { workspaceId, endpoint, found }: { workspaceId: string; endpoint: EndpointRow; found: Found },
): Promise<Set<string>> {
  const unknown = found.candidates.filter(({ status }) => status === null).map(({ id }) => timeOfUuid(id));
  if (unknown.length === 0) return new Set();
  const [first, last] = [Math.min(...unknown), Math.max(...unknown)];
  const ask = {
    workspace_id: workspaceId,
    endpoint_id: endpoint.id,
    slot: slotOf(endpoint.lane),
    lane: endpoint.lane,
    lowest: uuidFloor(first),
    below: uuidFloor(last + 1),
    above: uuidFloor(last + 1 + OUT_OF_ORDER_MS),
    delivery_id: null,
    kind: null,
    most: QUEUE_LOOK,
    look: QUEUE_LOOK,
  };
  const [answer] = await callWithin(sql, waitingDeliveries, [ask], clock.now());
  return new Set(answer?.deliveries.map(({ id }) => id));
}

/** Asks for deliveries, each at most once at a time, and moves the replay behind them. */
async function ask(
  { clock, notifier }: App,
  sql: Sql,
  row: RunRow,
  { items, behind }: Batch<Item>,
): Promise<Stepped<RunRow, never>> {
  const { workspace_id: workspaceId, webhook_endpoint_id: endpointId, only_those: only } = row;
  const now = clock.now();
  const endpoint = await selectEndpointRow(sql, workspaceId, endpointId);
  if (endpoint === null) throw endpointDeleted();
  const asks = row.dry_run
    ? []
    : items
        .filter(({ isRefused }) => !isRefused)
        .map(({ event_id, delivery_id }) => ({
          workspace_id: workspaceId,
          endpoint_id: endpointId,
          lane: endpoint.lane,
          delivery_id,
          event_id,
          replay_id: row.id,
          reopens: only === "failed" ? ["failed"] : only === "all" ? ["failed", "succeeded"] : [],
          creates: only !== "failed",
          advances: false,
          in_order: false,
          ahead: false,
        }));
  const answers = await callWithin(sql, askRedeliveries, asks, now);
  const scheduled = answers.filter(({ outcome }) => outcome === "asked").length;
  const isScheduled = behind === endOfRange(row);
  await updateReplayRow(sql, workspaceId, row.id, {
    place: behind,
    matched: items.length,
    scheduled,
    isScheduled,
    now,
  });
  return {
    row: { ...row, place: behind, is_scheduled: isScheduled },
    errors: [],
    committed: () => {
      if (scheduled > 0) notifier.hint("redeliver", [slotOf(endpoint.lane)]);
    },
  };
}
