import type { Sql } from "../../../db/database.ts";
import { onlyRow } from "../../../db/only-row.ts";
import { slotOf } from "../../../lanes/lane-kinds.ts";
import { inLane } from "../../../lanes/queue-sql.ts";
import type { LongTable, Standing } from "../../tasks/long-task.sql.ts";
import type { End } from "../../tasks/long-task.ts";
import { TEST_KIND } from "../operational-events.ts";
import type { Replay } from "./schema.ts";

/** Replays as long tasks. The counts of each are beside it, and are deleted with it. */
export const REPLAYS: LongTable = {
  table: "replay",
  place: "place",
  errors: { table: "replay_count", of: "replay_id" },
};

export type ReplayRow = {
  id: string;
  webhook_endpoint_id: string;
  status: Replay["status"];
  created_after: Date;
  created_before: Date;
  events: string[];
  only_those: Replay["only"];
  dry_run: boolean;
  matched: number;
  scheduled: number;
  succeeded: number;
  failed: number;
  error: { code: string; detail: string } | null;
  created_at: Date;
  completed_at: Date | null;
};

// Counts as double precision: the driver returns a bigint as text, and none of them reaches 2^53.
const SHOWN = `i.id, i.webhook_endpoint_id, i.status, i.created_after, i.created_before, i.events, i.only_those, i.dry_run,
  i.matched::float8, i.scheduled::float8, coalesce(c.succeeded, 0)::float8 as succeeded, coalesce(c.failed, 0)::float8 as failed,
  i.error, i.created_at, i.completed_at`;
const COUNTED = "replay i left join replay_count c on c.workspace_id = i.workspace_id and c.replay_id = i.id";

export type NewReplayRow = Pick<
  ReplayRow,
  "id" | "webhook_endpoint_id" | "created_after" | "created_before" | "events" | "only_those" | "dry_run" | "created_at"
> & { place: string; job_id: string };

export async function insertReplayRow(sql: Sql, workspaceId: string, row: NewReplayRow): Promise<void> {
  await sql.run(
    `insert into replay (workspace_id, id, webhook_endpoint_id, status, created_after, created_before, events, only_those, dry_run,
       place, job_id, created_at, updated_at)
     values ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
    [
      workspaceId,
      row.id,
      row.webhook_endpoint_id,
      row.created_after,
      row.created_before,
      row.events,
      row.only_those,
      row.dry_run,
      row.place,
      row.job_id,
      row.created_at,
    ],
  );
}

export async function selectReplayRow(sql: Sql, workspaceId: string, id: string): Promise<ReplayRow | null> {
  const rows = await sql.query<ReplayRow>(`select ${SHOWN} from ${COUNTED} where i.workspace_id = $1 and i.id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

/** A replay that has not ended, as it is worked. */
export type RunRow = Standing &
  Omit<ReplayRow, "status" | "error" | "completed_at" | "failed"> & {
    workspace_id: string;
    /** The id up to which all was looked at. */
    place: string;
    is_scheduled: boolean;
    /** Deliveries that have ended. */
    ended: number;
    updated_at: Date;
  };

export async function selectRunRow(sql: Sql, workspaceId: string, id: string): Promise<RunRow | null> {
  const rows = await sql.query<RunRow>(
    `select i.workspace_id, i.id, i.webhook_endpoint_id, i.created_after, i.created_before, i.events, i.only_those, i.dry_run, i.place,
       i.is_scheduled, i.matched::float8, i.scheduled::float8, coalesce(c.succeeded, 0)::float8 as succeeded, 0 as failed,
       (coalesce(c.succeeded, 0) + coalesce(c.failed, 0))::float8 as ended, i.created_at, i.updated_at,
       -- None waits for another, whose endpoint may be disabled for weeks.
       0 as earlier,
       (select w.status = 'active' from workspace w where w.workspace_id = $1) as active
     from ${COUNTED} where i.workspace_id = $1 and i.id = $2 and i.completed_at is null`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** It waits for its next attempt, which may be hours away. */
const BACKS_OFF = (q: string, now: string): string => `${q}.attempt > 0 and ${q}.due > ${now}`;

/**
 * Rows, `most` at most, that the lane of an endpoint has of what was asked for, but for those that back off and, where it keeps an order, those
 * that wait for one of these.
 */
export async function countWaitingRows(
  sql: Sql,
  workspaceId: string,
  { lane, ordered, most, now }: { lane: number; ordered: boolean; most: number; now: number },
): Promise<number> {
  const inThis = (q: string): string => `${q}.workspace_id = $1 and ${inLane(q, "$2", "$3")}`;
  return onlyRow(
    await sql.query<{ n: number }>(
      `select count(*)::int as n from (
         select from redeliver q where ${inThis("q")} and case
           when $5::boolean then q.conversation not in (
             select b.conversation from redeliver b where ${inThis("b")} and ${BACKS_OFF("b", "$4")})
           else not (${BACKS_OFF("q", "$4")}) end
         limit $6) w`,
      [workspaceId, slotOf(lane), lane, new Date(now), ordered, most],
    ),
  ).n;
}

export type Moved = { place: string; matched: number; scheduled: number; isScheduled: boolean; now: number };

export async function updateReplayRow(sql: Sql, workspaceId: string, id: string, moved: Moved): Promise<void> {
  await sql.run(
    `update replay set status = 'running', place = $3, matched = matched + $4, scheduled = scheduled + $5, is_scheduled = $6,
       updated_at = $7
     where workspace_id = $1 and id = $2`,
    [workspaceId, id, moved.place, moved.matched, moved.scheduled, moved.isScheduled, new Date(moved.now)],
  );
}

/** Ends a replay that has not ended; false when it has. */
export async function endReplayRow(sql: Sql, workspaceId: string, id: string, end: End): Promise<boolean> {
  const ended = await sql.run(
    `update replay set status = $3, error = $4, completed_at = $5, updated_at = $5, is_scheduled = true
     where workspace_id = $1 and id = $2 and completed_at is null`,
    [workspaceId, id, end.status, end.error === null ? null : JSON.stringify(end.error), end.at],
  );
  return ended > 0;
}

/** What a step may ask for. `sequence`: of the event, in whose order a conversation is kept. */
export type Candidate = { id: string; event_id: string; delivery_id: string; sequence: string; status: string | null };

/** Looked at in order of their ids; `last` is the last of them, null when there was none. */
export type Found = { candidates: Candidate[]; last: string | null; isFull: boolean };

export type Range = { endpointId: string; after: string; below: string; events: readonly string[]; limit: number };

const KIND_FITS = (kind: string, events: string): string =>
  `(${events}::text[] @> array['*'] or ${kind} = any(${events}))`;
/** Those of unlisted kinds are for endpoints that have these kinds by their fields. */
const IS_LISTED = "(l.sequence > 0 or l.kind = any($5))";

/** Deliveries of the endpoint that failed. */
export async function selectFailed(sql: Sql, workspaceId: string, range: Range): Promise<Found> {
  const rows = await sql.query<Candidate & { last: string | null; n: number }>(
    `with looked as materialized (
       select d.id, d.event_id, d.kind, d.status, d.webhook_endpoint_id from delivery d
       where d.workspace_id = $1 and d.id > $3 and d.id < $4 and d.attempt >= 0 and d.status <> 'succeeded'
       order by d.id limit $6)
     select r.last, r.n, x.*
     from (select (array_agg(l.id order by l.id desc))[1] as last, count(*)::int as n from looked l) r
     left join lateral (
       select l.id, l.event_id, l.id as delivery_id, l.status, e.sequence::text from looked l
       join event e on e.workspace_id = $1 and e.id = l.event_id
       where l.webhook_endpoint_id = $2 and l.status = 'failed' and ${KIND_FITS("l.kind", "$5")}) x on true`,
    [workspaceId, range.endpointId, range.after, range.below, [...range.events], range.limit],
  );
  return foundOf(rows, range);
}

/** Events of these kinds but tests, which are for one endpoint each, with the status of the endpoint's delivery of each, where it has one. */
export async function selectEvents(sql: Sql, workspaceId: string, range: Range): Promise<Found> {
  const rows = await sql.query<Candidate & { last: string | null; n: number }>(
    `with looked as materialized (
       select e.id, e.kind, e.sequence from event e
       where e.workspace_id = $1 and e.id > $3 and e.id < $4 order by e.id limit $6)
     select r.last, r.n, x.*
     from (select (array_agg(l.id order by l.id desc))[1] as last, count(*)::int as n from looked l) r
     left join lateral (
       select l.id, l.id as event_id, y.delivery_id, l.sequence::text,
         (select d.status from delivery d where d.workspace_id = $1 and d.id = y.delivery_id) as status
       from looked l cross join lateral (select delivery_id(l.id, $2) as delivery_id offset 0) y
       where ${KIND_FITS("l.kind", "$5")} and ${IS_LISTED} and l.kind <> '${TEST_KIND}') x on true`,
    [workspaceId, range.endpointId, range.after, range.below, [...range.events], range.limit],
  );
  return foundOf(rows, range);
}

function foundOf(rows: readonly (Candidate & { last: string | null; n: number })[], { limit }: Range): Found {
  const first = onlyRow(rows.slice(0, 1));
  const candidates = rows
    .filter(({ id }) => id !== null)
    .map(({ id, event_id, delivery_id, sequence, status }) => ({
      id,
      event_id,
      delivery_id,
      sequence,
      status,
    }));
  return { candidates, last: first.last, isFull: first.n >= limit };
}
