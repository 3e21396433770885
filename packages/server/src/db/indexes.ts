import { setTimeout as pause } from "node:timers/promises";
import { isLockTimeout } from "./connect.ts";
import type { Sql } from "./database.ts";
import { inOneTransaction } from "./session.ts";

/** An index that is added to a table with rows: built concurrently with the traffic, which a migration cannot do. */
export type Index = {
  /** Never reused for another definition: an index of this name is assumed to have this one. */
  name: string;
  table: string;
  /** The part after the table's name in `create index`. */
  columns: string;
  unique?: boolean;
  partitioned?: boolean;
  /** The index that earlier versions use in its place: dropped when none of them runs any more. */
  instead?: string;
};

// A second index must not be usable for a look-up by the key: while a table is empty, or its statistics say so, each index with
// one of the columns has the same cost for the planner, and of equals it takes the newest. So each of these either shares no
// expression with the key (queries of a lane then have to use its expressions: lanes/queue.ts), or is partial with a predicate
// that always holds and that only its own queries contain. (docs/adr/0009.)
const LANE = "((slot::int), lane, due, (seq + 0))";

export const INDEXES: readonly Index[] = [
  ...["dispatch", "deliver", "ingest", "task"].map((table) => ({
    name: `${table}_by_lane`,
    table,
    columns: LANE,
    instead: `${table}_lane`,
  })),
  {
    name: "contact_by_phone",
    table: "contact",
    columns: "(workspace_id, phone) where phone is not null",
    unique: true,
    instead: "contact_phone",
  },
  {
    name: "contact_by_user_id",
    table: "contact",
    columns: "(workspace_id, user_id) where user_id is not null",
    unique: true,
    instead: "contact_user_id",
  },
  {
    name: "message_by_contact",
    table: "message",
    columns: "(workspace_id, contact_id, id) where sequence > 0",
    partitioned: true,
    instead: "message_contact",
  },
  {
    name: "delivery_by_endpoint",
    table: "delivery",
    columns: "(workspace_id, webhook_endpoint_id, id) where attempt >= 0",
    partitioned: true,
    instead: "delivery_endpoint",
  },
  {
    // Lists of those that failed or are open. A success at the first attempt, as nearly all are, has no entry.
    name: "delivery_not_succeeded",
    table: "delivery",
    columns: "(workspace_id, id) where attempt >= 0 and status <> 'succeeded'",
    partitioned: true,
  },
  {
    name: "contact_by_survivor",
    table: "contact",
    columns: "(workspace_id, merged_into) where merged_into is not null",
  },
  {
    name: "job_pending",
    table: "job",
    columns: "(workspace_id, kind, subject) where subject is not null and completed_at is null",
  },
  {
    // Most messages never expire, and cost it nothing.
    name: "dispatch_expiring",
    table: "dispatch",
    columns: "(expires_at) where expires_at is not null",
  },
  {
    name: "contact_unnamed",
    table: "contact",
    columns: "(created_at) where not is_named and created_at > '-infinity'",
  },
  {
    // Lists of messages that failed, are unknown, were canceled or have expired: few, and no other report has an entry here.
    name: "history_of_rare",
    table: "history",
    columns: "(workspace_id, bit, message_id) where bit in (1, 8, 256, 512)",
    partitioned: true,
  },
  {
    // Lists of messages by the code of their error. What none has costs it nothing, and a change of anything else leaves it alone.
    name: "message_state_by_error",
    table: "message_state",
    columns: "(workspace_id, (error ->> 'code'), id) where error is not null",
    partitioned: true,
  },
  {
    // The log of messages by time. Each row is the latest of its workspace: it is added at the right end of its part.
    name: "history_by_time",
    table: "history",
    columns: "(workspace_id, received_at) where received_at > '-infinity'",
    partitioned: true,
  },
  {
    // The same of attempts that were refused and tried again, which few are: no other has an entry here.
    name: "attempt_refused_by_time",
    table: "attempt",
    columns: "(workspace_id, completed_at) where outcome = 'retry' and completed_at > '-infinity'",
    partitioned: true,
  },
  {
    // What was done to a resource. A message's row is added near the right end of its workspace's part.
    name: "audit_by_resource",
    table: "audit",
    columns: "(workspace_id, resource_id, id) where resource_id is not null",
    partitioned: true,
  },
  {
    // What is said of contacts is found in it whatever it is (features/contacts/search). Of its pending
    // list a search reads all, and the row that fills it waits until it is sorted in: some milliseconds at this size, in kB. Without
    // one a thousand contacts take twice as long to write. docs/adr/0016.
    name: "contact_search",
    table: "contact",
    columns: `using gin ((workspace_id::text), tags, attributes jsonb_path_ops,
      (contact_text(name, profile_name, username, email, phone, wa_id, attributes)) gin_trgm_ops) with (gin_pending_list_limit = 512)`,
  },
  {
    // In the order in which transactions changed them. Those that no transaction has changed since it is kept come first.
    name: "contact_by_change",
    table: "contact",
    columns: "(workspace_id, coalesce(changed_era, 0), coalesce(changed_in, '0'::xid8), id) where revision > 0",
  },
  {
    // An event looks at all endpoints of its workspace, few of which may listen: here they lie side by side.
    name: "webhook_endpoint_listening",
    table: "webhook_endpoint",
    columns: "(workspace_id) include (events, lane, id, is_limited) where lane >= 0",
    instead: "webhook_endpoint_by_workspace",
  },
  {
    // The feed. An entry comes to the right end of its workspace's part.
    name: "event_by_transaction",
    table: "event",
    columns: "(workspace_id, era, xid, id) where sequence > 0",
    partitioned: true,
  },
];

/** Each process records every hour which functions it uses; without a record for this long it is gone. */
const OTHERS_GONE_AFTER = "3 hours";
/** Hot calls wait 100 ms for a lock. Locking a whole table waits less, at first, so that no hot call fails behind it. */
const FIRST_LOCK_WAIT_MS = 50;
const LONGEST_LOCK_WAIT_MS = 500;
const LOCK_TRIES = 60;
const LOCK_PAUSE_MS = 500;

/**
 * Builds missing indexes, in a session of its own, outside a transaction, by one process at a time. An index that a killed
 * process left half built is dropped and built again. Traffic is only stopped by the locks of catalogue changes, for
 * milliseconds. Building waits for transactions that began before it, however long they take.
 */
export async function buildIndexes(sql: Sql, log: (text: string) => void): Promise<void> {
  for (const index of INDEXES) await (index.partitioned ? buildPartitioned : buildPlain)(sql, index, log);
}

const buildPlain = (sql: Sql, index: Index, log: (text: string) => void): Promise<void> =>
  buildOne(sql, { name: index.name, table: index.table, index }, log);

type Place = { name: string; table: string; index: Index };

async function buildOne(sql: Sql, { name, table, index }: Place, log: (text: string) => void): Promise<void> {
  const [found] = await sql.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
    [name],
  );
  if (found?.valid) return;
  log(`building the index ${name} beside the traffic; transactions that run now are waited for`);
  await waitingLong(sql, async () => {
    if (found) await sql.run(`drop index concurrently if exists ${name}`);
    await sql.run(`create ${index.unique ? "unique " : ""}index concurrently ${name} on ${table} ${index.columns}`);
  });
}

// A partitioned index cannot be built concurrently as a whole: first the indexes of its partitions, then an empty one over all of
// them, which is valid as soon as the last partition's is attached. The next round finds partitions created meanwhile.
async function buildPartitioned(sql: Sql, index: Index, log: (text: string) => void): Promise<void> {
  for (;;) {
    const open = await partitionsWithout(sql, index);
    for (const place of open) await buildOne(sql, place, log);
    const [parent] = await sql.query<{ valid: boolean }>(
      "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
      [index.name],
    );
    if (parent?.valid) return;
    // The partition that it lacked was dropped as expired: no attaching is left that would make it valid.
    if (parent && open.length === 0) await lockingBriefly(sql, () => sql.run(`drop index ${index.name}`));
    if (!parent)
      await lockingBriefly(sql, () => sql.run(`create index ${index.name} on only ${index.table} ${index.columns}`));
    for (const { name } of open)
      await lockingBriefly(sql, () => sql.run(`alter index ${index.name} attach partition ${name}`));
  }
}

/** Partitions that have no part of this index yet, with the name of the part to build. */
async function partitionsWithout(sql: Sql, index: Index): Promise<Place[]> {
  const suffix = index.name.slice(index.table.length);
  const rows = await sql.query<{ table: string }>(
    `select c.relname as table from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and not i.inhdetachpending and not exists (
       select from pg_index x join pg_inherits o on o.inhrelid = x.indexrelid and o.inhparent = to_regclass($2) where x.indrelid = c.oid)
     order by 1`,
    [index.table, index.name],
  );
  return rows.map(({ table }) => ({ name: `${table}${suffix}`, table, index }));
}

/**
 * Drops the indexes that only earlier versions use, once none of those has been recorded as running for some hours; returns
 * their names. Until then both are kept: without it an old process would search its lanes by reading whole slots, for seconds.
 */
export async function dropOldIndexes(sql: Sql): Promise<string[]> {
  const replacing = INDEXES.filter(({ instead }) => instead);
  const rows = await sql.query<{ name: string; partitioned: boolean }>(
    `select x.old as name, x.partitioned from unnest($1::text[], $2::text[], $3::boolean[]) as x(old, new, partitioned)
     join pg_index i on i.indexrelid = to_regclass(x.new) and i.indisvalid
     where to_regclass(x.old) is not null and not exists (
       select from function_use where last_used > clock_timestamp() - interval '${OTHERS_GONE_AFTER}'
       group by regexp_replace(name, '_[0-9a-f]{10}$', '') having count(*) > 1)`,
    [
      replacing.map(({ instead }) => instead),
      replacing.map(({ name }) => name),
      replacing.map(({ partitioned }) => partitioned ?? false),
    ],
  );
  for (const { name, partitioned } of rows) {
    // One over partitions cannot be dropped concurrently; it locks the table, so it may wait only briefly.
    if (partitioned) await lockingBriefly(sql, () => sql.run(`drop index if exists ${name}`));
    else await waitingLong(sql, async () => void (await sql.run(`drop index concurrently if exists ${name}`)));
  }
  return rows.map(({ name }) => name);
}

// Concurrent index changes lock out neither reads nor writes, so they may wait.
async function waitingLong(sql: Sql, work: () => Promise<void>): Promise<void> {
  await sql.run("set lock_timeout = 0");
  await work();
  await sql.run("set lock_timeout = '1s'");
}

async function lockingBriefly(sql: Sql, work: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await inOneTransaction(sql, async () => {
        await sql.run(`set local lock_timeout = ${Math.min(FIRST_LOCK_WAIT_MS * tried, LONGEST_LOCK_WAIT_MS)}`);
        await work();
      });
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tried === LOCK_TRIES) throw error;
      await pause(LOCK_PAUSE_MS);
    }
  }
}
