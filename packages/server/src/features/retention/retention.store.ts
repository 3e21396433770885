import type { App } from "../../ctx.ts";
import type { Database, Sql } from "../../db/database.ts";
import { columns, type HotFunction, hotFunction, type RowOf, recordset } from "../../db/hot-function.ts";
import type { Expired } from "../../db/partitions.ts";
import { minuteOf } from "../limits/ledger.sql.ts";
import { messageWaits } from "../media/waiting.sql.ts";
import { isPast } from "../metrics/metric.sql.ts";

// Growing tables without partitions are pruned by walking their blocks: the cost of a round is known before, and needs no
// index that every insert would pay for. (A BRIN index over the time stops helping after the first round: new rows fill the
// freed pages, so that every range of blocks holds old and new times.)

/** Blocks of one statement: about two megabytes, some ten thousand rows, far below the statement's eight seconds. */
const BLOCKS_A_STATEMENT = 256;
/** A round walks the whole of a smaller table, about 160 megabytes. */
const SMALL_BLOCKS = 20_480;

const BLOCKS = columns({ lo: "tid", hi: "tid" });
const BLOCKS_BY_AGE = columns({ ...BLOCKS, bound: "timestamptz" });
const BLOCKS_BY_ID = columns({ ...BLOCKS, bound: "uuid" });
const PRUNED = columns({ pruned: "int" });
type Prunes<Row extends object> = HotFunction<Row, { pruned: number }>;

/** `body` deletes the rows of `r` with ctid in [r.lo, r.hi) that are older than its bound, and counts them in `gone`. */
const pruneBlocks = <Input extends typeof BLOCKS_BY_AGE | typeof BLOCKS_BY_ID>(
  name: string,
  input: Input,
  body: string,
): Prunes<RowOf<Input>> =>
  hotFunction({
    name,
    input,
    answers: PRUNED,
    declare: "r record; q record; n int; gone int := 0;",
    body: `
for r in select * from ${recordset(input)} loop
  ${body.trim()}
end loop;
return query select gone;`,
  });

/** Deletes the rows `k` for which a condition holds; `r.bound` is a time. */
const pruneWhere = (name: string, table: string, condition: string): Prunes<RowOf<typeof BLOCKS_BY_AGE>> =>
  pruneBlocks(
    name,
    BLOCKS_BY_AGE,
    `
  delete from ${table} k where k.ctid >= r.lo and k.ctid < r.hi and ${condition};
  get diagnostics n = row_count;
  gone := gone + n;`,
  );
const pruneByAge = (name: string, table: string): Prunes<RowOf<typeof BLOCKS_BY_AGE>> =>
  pruneWhere(name, table, "k.created_at < r.bound");

/** People whom a portfolio has not written to since `bound`: they do not count any more, and nothing waits for their rows to go. */
export const prunePortfolioRecipients = pruneWhere(
  "prune_portfolio_recipients",
  "portfolio_recipient",
  `k.minute < ${minuteOf("r.bound")}`,
);
/** What was given back for them. */
export const prunePortfolioReturns = pruneWhere("prune_portfolio_returns", "portfolio_return", "k.at < r.bound");

/** Counts of intervals that are over for longer than such ones are kept, at the time `bound`. */
export const pruneMetrics = pruneWhere("prune_metrics", "metric", isPast("k", "r.bound"));

/** Sessions of the console that ended before `bound`. */
export const pruneConsoleSessions = pruneWhere(
  "prune_console_sessions",
  "console_session",
  "coalesce(k.ended_at, k.expires_at) < r.bound",
);

/** Setup links that were created before `bound`, whatever became of them. */
export const pruneSetupLinks = pruneByAge("prune_setup_links", "setup_link");

/** Uses of media that was deleted, and of messages that are no longer kept at the time `bound`; what still waits is kept longer. */
export const pruneMediaUses = pruneWhere(
  "prune_media_uses",
  "media_use",
  `(k.used_at < r.bound and not ${messageWaits("k")}
      or not exists (select from media m where m.workspace_id = k.workspace_id and m.id = k.media_id))`,
);

export const pruneIdempotencyKeys = pruneByAge("prune_idempotency_keys", "idempotency_key");
export const pruneKeptAnswerContacts = pruneByAge("prune_kept_answer_contacts", "kept_answer_contact");
export const pruneProviderNotices = pruneByAge("prune_provider_notices", "provider_notice");
export const pruneErasedNames = pruneByAge("prune_erased_names", "erased_name");
export const pruneProviderMessages = pruneByAge("prune_provider_messages", "provider_message");

// Only lanes that no process reads hold rows this old: of endpoints that stayed switched off. A delivery that has a row keeps how it ended.
export const pruneParkedDeliveries = pruneBlocks(
  "prune_parked_deliveries",
  BLOCKS_BY_ID,
  `
  for q in
    delete from deliver d where d.ctid >= r.lo and d.ctid < r.hi and d.event_id < r.bound
    returning d.workspace_id, d.delivery_id
  loop
    gone := gone + 1;
    update delivery d set status = 'failed', next_attempt_at = null, completed_at = now
    where d.workspace_id = q.workspace_id and d.id = q.delivery_id and d.status in ('pending', 'parked');
  end loop;`,
);

// The same of those that were asked for: each counts for its replay, where there is one.
export const pruneParkedRedeliveries = pruneBlocks(
  "prune_parked_redeliveries",
  BLOCKS_BY_ID,
  `
  for q in
    delete from redeliver d where d.ctid >= r.lo and d.ctid < r.hi and d.event_id < r.bound
    returning d.workspace_id, d.delivery_id, d.replay_id
  loop
    gone := gone + 1;
    update delivery d set status = 'failed', next_attempt_at = null, completed_at = now
    where d.workspace_id = q.workspace_id and d.id = q.delivery_id and d.status in ('pending', 'parked');
    if q.replay_id is not null then
      insert into replay_count as c (workspace_id, replay_id, succeeded, failed) values (q.workspace_id, q.replay_id, 0, 1)
      on conflict (workspace_id, replay_id) do update set failed = c.failed + 1;
    end if;
  end loop;`,
);

const STATUSES_A_CALL = 1_000;

const STATUS_BOUND = columns({ bound: "timestamptz" });

/** Deletes statuses whose message never became known; the oldest first, some at a time. */
export const pruneParkedStatuses = hotFunction({
  name: "prune_parked_statuses",
  input: STATUS_BOUND,
  answers: PRUNED,
  declare: "r record; gone int := 0;",
  body: `
for r in
  select w.workspace_id, w.provider_message_id, w.bit from ${recordset(STATUS_BOUND)}
  join parked_status w on w.received_at < x.bound order by w.received_at limit ${STATUSES_A_CALL}
loop
  delete from parked_status w
  where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit;
  gone := gone + 1;
end loop;
return query select gone;`,
});

const ID_RANGE = columns({
  /** message, event, delivery or callback; of any other table nothing is needed. */
  family: "text",
  lo: "uuid",
  hi: "uuid",
});

/** Whether the queue still has rows that need the rows with these ids. Looks through the whole queue: once for each old partition. */
export const queueNeeds = hotFunction({
  name: "queue_needs",
  writes: false,
  input: ID_RANGE,
  answers: columns({ needed: "boolean" }),
  body: `return query select case x.family
    when 'message' then exists (select from dispatch d where d.message_id >= x.lo and d.message_id < x.hi)
    when 'event' then exists (select from deliver d where d.event_id >= x.lo and d.event_id < x.hi)
      or exists (select from redeliver d where d.event_id >= x.lo and d.event_id < x.hi)
    when 'delivery' then exists (select from deliver d where d.delivery_id >= x.lo and d.delivery_id < x.hi)
      or exists (select from redeliver d where d.delivery_id >= x.lo and d.delivery_id < x.hi)
    when 'callback' then exists (select from ingest i where i.callback_id >= x.lo and i.callback_id < x.hi)
    else false end
  from ${recordset(ID_RANGE)};`,
});

/** Tables whose rows have the id of a message, and are dropped with it. */
const OF_MESSAGES = new Set(["message", "message_state", "history", "attempt"]);

export async function isNeeded(db: Database, expired: Expired, now: number): Promise<boolean> {
  const family = OF_MESSAGES.has(expired.table) ? "message" : expired.table;
  const [answer] = await db.call(queueNeeds, [{ family, lo: expired.from, hi: expired.to }], now);
  return answer?.needed ?? true;
}

/** Walks a table in steps of some blocks; a table too large for one round is walked over `rounds` of them, in a circle. */
export type Walk = {
  table: string;
  rounds: number;
  /** Deletes what is too old between two places; answers how many rows. */
  prune(lo: string, hi: string): Promise<number>;
};

/** Where the next round of each table begins. A new process starts at a random block; from block 0, a process restarted daily would never reach the end. */
export type Places = Map<string, number>;

export async function walk(
  { db, random }: Pick<App, "db" | "random">,
  places: Places,
  { table, rounds, prune }: Walk,
): Promise<number> {
  const rows = await db.sql.query<{ blocks: number }>(
    "select pg_relation_size($1::regclass) / current_setting('block_size')::int as blocks",
    [table],
  );
  const blocks = rows[0]?.blocks ?? 0;
  const share = Math.min(blocks, Math.max(SMALL_BLOCKS, Math.ceil(blocks / rounds)));
  let at = share === blocks ? 0 : (places.get(table) ?? Math.floor(random() * blocks)) % blocks;
  let pruned = 0;
  for (let walked = 0; walked < share; ) {
    const end = Math.min(at + BLOCKS_A_STATEMENT, blocks);
    pruned += await prune(`(${at},0)`, `(${end},0)`);
    walked += end - at;
    at = end === blocks ? 0 : end;
  }
  places.set(table, at);
  return pruned;
}

const pruned = async <Row extends object>(
  db: Database,
  fn: Prunes<Row>,
  row: NoInfer<Row>,
  now: number,
): Promise<number> => (await db.call(fn, [row], now))[0]?.pruned ?? 0;

/** `before` in milliseconds, here and below. */
export const deleteIdempotencyKeyRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, pruneIdempotencyKeys, { lo, hi, bound: new Date(before).toISOString() }, now);

export const deleteKeptAnswerContactRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, pruneKeptAnswerContacts, { lo, hi, bound: new Date(before).toISOString() }, now);

export const deleteProviderMessageRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, pruneProviderMessages, { lo, hi, bound: new Date(before).toISOString() }, now);

export const deleteErasedNameRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, pruneErasedNames, { lo, hi, bound: new Date(before).toISOString() }, now);

export const deleteProviderNoticeRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, pruneProviderNotices, { lo, hi, bound: new Date(before).toISOString() }, now);

export const deleteConsoleSessionRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, pruneConsoleSessions, { lo, hi, bound: new Date(before).toISOString() }, now);

export const deleteSetupLinkRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, pruneSetupLinks, { lo, hi, bound: new Date(before).toISOString() }, now);

export const deleteMediaUseRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, pruneMediaUses, { lo, hi, bound: new Date(before).toISOString() }, now);

export const deletePortfolioRecipientRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, prunePortfolioRecipients, { lo, hi, bound: new Date(before).toISOString() }, now);

export const deletePortfolioReturnRows = (db: Database, lo: string, hi: string, before: number, now: number) =>
  pruned(db, prunePortfolioReturns, { lo, hi, bound: new Date(before).toISOString() }, now);

/** `now` in milliseconds. */
export const deleteMetricRows = (db: Database, lo: string, hi: string, now: number) =>
  pruned(db, pruneMetrics, { lo, hi, bound: new Date(now).toISOString() }, now);

/** `bound`: the id of the oldest event that is still delivered. */
export const deleteParkedDeliverRows = (db: Database, lo: string, hi: string, bound: string, now: number) =>
  pruned(db, pruneParkedDeliveries, { lo, hi, bound }, now);

export const deleteParkedRedeliverRows = (db: Database, lo: string, hi: string, bound: string, now: number) =>
  pruned(db, pruneParkedRedeliveries, { lo, hi, bound }, now);

export async function deleteParkedStatusRows(db: Database, before: number, now: number): Promise<number> {
  for (let total = 0; ; ) {
    const some = await pruned(db, pruneParkedStatuses, { bound: new Date(before).toISOString() }, now);
    total += some;
    if (some < STATUSES_A_CALL) return total;
  }
}

/** Marks of calls after which no process asks any more. They belong to no workspace, so the login may delete them. */
export const deleteFlightRows = (sql: Sql, lo: string, hi: string, before: number): Promise<number> =>
  sql.run("delete from flight where ctid >= $1::tid and ctid < $2::tid and at < $3", [lo, hi, new Date(before)]);

const QUARANTINED_A_STATEMENT = 1_000;

/** Quarantined changes whose callback is no longer kept; `bound` is the id of the oldest that is. */
export async function deleteQuarantineRows(sql: Sql, bound: string): Promise<number> {
  for (let total = 0; ; ) {
    const some = await sql.run(
      `delete from quarantine where id in (select id from quarantine where id < $1 order by id limit ${QUARANTINED_A_STATEMENT})`,
      [bound],
    );
    total += some;
    if (some < QUARANTINED_A_STATEMENT) return total;
  }
}
