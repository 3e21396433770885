import type { App } from "../../ctx.ts";
import { isLockTimeout } from "../../db/connect.ts";
import { dropUnusedFunctions } from "../../db/functions.ts";
import { dropOldIndexes } from "../../db/indexes.ts";
import { MIGRATION_LOCK, RETENTION_LOCK } from "../../db/locks.ts";
import { dropPartition, expiredPartitions, finishDetaching, oldestKept } from "../../db/partitions.ts";
import { withLongSession } from "../../db/session.ts";
import { KEY_KEPT_MS } from "../../http/idempotency.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { uuidFloor } from "../../lib/ids.ts";
import type { RetentionDays } from "../../process/config/retention.ts";
import {
  deleteConsoleSessionRows,
  deleteErasedNameRows,
  deleteFlightRows,
  deleteIdempotencyKeyRows,
  deleteKeptAnswerContactRows,
  deleteMediaUseRows,
  deleteMetricRows,
  deleteParkedDeliverRows,
  deleteParkedRedeliverRows,
  deleteParkedStatusRows,
  deletePortfolioRecipientRows,
  deletePortfolioReturnRows,
  deleteProviderMessageRows,
  deleteProviderNoticeRows,
  deleteQuarantineRows,
  deleteSetupLinkRows,
  isNeeded,
  type Places,
  walk,
} from "./retention.store.ts";

const MINUTE_MS = 60_000;

/** The class of RETENTION_DAYS of each partitioned table. Messages are dropped before the rows that belong to them, so that no reader finds half of one. */
const CLASSES: Record<string, keyof RetentionDays> = {
  message: "messages",
  message_state: "messages",
  history: "messages",
  attempt: "messages",
  event: "events",
  delivery: "deliveries",
  audit: "audit",
  callback: "callbacks",
};

/** Deliveries of a disabled endpoint are kept for this long, or as long as events. */
const PARKED_DAYS = 30;
/** A status settles a send whose answer was lost for up to 7 days; after that it can no longer find its message. */
const PARKED_STATUS_DAYS = 7;
/** The provider repeats a callback for a week: that long a notice is known again, whatever the retention of callbacks. */
const NOTICE_DAYS = 10;
/** A session of the console is shown by the audit log's rows for this long after its end. */
const ENDED_SESSION_DAYS = 30;
/** Shorter than an ended signup is kept: the signup of a link says what became of the link. */
const SETUP_LINK_DAYS = 60;
/** When a number is connected the provider reports the 180 days before: nothing that it reports later is of before an erasure that old. */
const ERASED_NAME_DAYS = 190;
/** Whether a call committed is asked within seconds of its end; no statement lasts longer than 8 s, no transaction idles longer than 30 s. */
const FLIGHT_MS = 15 * MINUTE_MS;
/** People count in a messaging limit for 24 hours, by the minute; the rest is for clocks that differ. */
const COUNTED_MS = DAY_MS + 60 * MINUTE_MS;
/** Large tables are walked once a day, an hour's share at a time. */
const ROUNDS_A_DAY = 24;

/** One round over everything; returns at once while another process runs one. `places`: where its walks of large tables continue. */
export async function retain(app: App, places: Places = new Map()): Promise<void> {
  const { log, config } = app;
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url === null) return;
  await withLongSession(url, "retention", async (sql) => {
    const [lock] = await sql.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [RETENTION_LOCK]);
    if (!lock?.mine) return;
    // Parked rows first: they keep their partitions from being dropped.
    const pruned = await pruneAll(app, places);
    const dropped: string[] = [];
    for (const [table, name] of Object.entries(CLASSES))
      dropped.push(...(await dropExpired(app, sql, table, config.RETENTION_DAYS[name])));
    const functions = await dropUnusedFunctions(sql, MIGRATION_LOCK);
    const indexes = await dropOldIndexes(sql);
    log.info({ pruned, dropped, functions, indexes }, "retention");
  });
}

async function dropExpired(
  { db, clock, log }: App,
  sql: Parameters<typeof dropPartition>[0],
  table: string,
  days: number,
): Promise<string[]> {
  const dropped: string[] = [];
  try {
    await finishDetaching(sql);
    for (const expired of await expiredPartitions(sql, table, days, clock.now())) {
      if (!expired.detached && (await isNeeded(db, expired, clock.now()))) {
        log.warn({ partition: expired.name }, "an old partition is kept: its queue still has rows");
        continue;
      }
      await dropPartition(sql, expired);
      dropped.push(expired.name);
    }
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    log.warn({ table }, "an old partition is being read; the next round drops it");
  }
  return dropped;
}

async function pruneAll(app: App, places: Places): Promise<Record<string, number>> {
  const { db, clock, config } = app;
  const now = clock.now();
  const keysBefore = now - KEY_KEPT_MS;
  const parked = uuidFloor(now - Math.max(PARKED_DAYS, config.RETENTION_DAYS.events) * DAY_MS);
  const noticesBefore = now - Math.max(NOTICE_DAYS, config.RETENTION_DAYS.callbacks) * DAY_MS;
  const messagesSince = await oldestKept(db.sql, "message");
  return {
    idempotency_keys: await walk(app, places, {
      table: "idempotency_key",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteIdempotencyKeyRows(db, lo, hi, keysBefore, now),
    }),
    kept_answer_contacts: await walk(app, places, {
      table: "kept_answer_contact",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteKeptAnswerContactRows(db, lo, hi, keysBefore, now),
    }),
    // A key is never older than its message, so the message of a key from before the oldest kept message is gone.
    provider_messages:
      messagesSince === null
        ? 0
        : await walk(app, places, {
            table: "provider_message",
            rounds: ROUNDS_A_DAY,
            prune: (lo, hi) => deleteProviderMessageRows(db, lo, hi, messagesSince, now),
          }),
    provider_notices: await walk(app, places, {
      table: "provider_notice",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteProviderNoticeRows(db, lo, hi, noticesBefore, now),
    }),
    console_sessions: await walk(app, places, {
      table: "console_session",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteConsoleSessionRows(db, lo, hi, now - ENDED_SESSION_DAYS * DAY_MS, now),
    }),
    setup_links: await walk(app, places, {
      table: "setup_link",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteSetupLinkRows(db, lo, hi, now - SETUP_LINK_DAYS * DAY_MS, now),
    }),
    erased_names: await walk(app, places, {
      table: "erased_name",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteErasedNameRows(db, lo, hi, now - ERASED_NAME_DAYS * DAY_MS, now),
    }),
    media_uses: await walk(app, places, {
      table: "media_use",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteMediaUseRows(db, lo, hi, now - config.RETENTION_DAYS.messages * DAY_MS, now),
    }),
    metrics: await walk(app, places, {
      table: "metric",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteMetricRows(db, lo, hi, now),
    }),
    parked_deliveries: await walk(app, places, {
      table: "deliver",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteParkedDeliverRows(db, lo, hi, parked, now),
    }),
    parked_redeliveries: await walk(app, places, {
      table: "redeliver",
      rounds: ROUNDS_A_DAY,
      prune: (lo, hi) => deleteParkedRedeliverRows(db, lo, hi, parked, now),
    }),
    ...(await pruneCounted(app, places, now)),
    parked_statuses: await deleteParkedStatusRows(db, now - PARKED_STATUS_DAYS * DAY_MS, now),
    quarantined: await deleteQuarantineRows(db.sql, uuidFloor(now - config.RETENTION_DAYS.callbacks * DAY_MS)),
    marks: await pruneOldFlights(app, places),
  };
}

/** Whom messaging limits no longer count. Small: people of a day, in portfolios that have a limit. */
async function pruneCounted(app: App, places: Places, now: number): Promise<Record<string, number>> {
  const { db } = app;
  return {
    portfolio_recipients: await walk(app, places, {
      table: "portfolio_recipient",
      rounds: 1,
      prune: (lo, hi) => deletePortfolioRecipientRows(db, lo, hi, now - COUNTED_MS, now),
    }),
    portfolio_returns: await walk(app, places, {
      table: "portfolio_return",
      rounds: 1,
      prune: (lo, hi) => deletePortfolioReturnRows(db, lo, hi, now - COUNTED_MS, now),
    }),
  };
}

/** Deletes the marks of hot calls that no process asks about any more. Resolves to their number. */
export function pruneOldFlights(app: App, places: Places): Promise<number> {
  const { db, clock } = app;
  // The whole table each time: it grows by a row for each call and must stay small.
  return walk(app, places, {
    table: "flight",
    rounds: 1,
    prune: (lo, hi) => deleteFlightRows(db.sql, lo, hi, clock.now() - FLIGHT_MS),
  });
}
