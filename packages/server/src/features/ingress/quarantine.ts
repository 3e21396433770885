import type { App, Ctx, TxCtx } from "../../ctx.ts";
import { uuidOfPath } from "../../http/ids.ts";
import { page, pageRequest } from "../../http/pagination.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatTime } from "../../http/timestamps.ts";
import { SLOTS } from "../../lanes/lane-kinds.ts";
import { formatId } from "../../lib/ids.ts";
import { listQuarantine, type QuarantineRow, replayDue, replayOne, replayReason } from "./quarantine.store.ts";
import type {
  QuarantinedChange,
  QuarantineList,
  QuarantineQuery,
  QuarantineReplay,
  QuarantineReplayed,
} from "./schema.ts";

/** Replayed in one call: a transaction of some tens of milliseconds. */
const MOST_A_CALL = 1_000;
/** Calls of one round of the timer: all that a trouble of minutes has set aside is back within some of them. */
const MOST_CALLS = 10;

/** What was set aside and waits, newest first. */
export async function getQuarantine(ctx: TxCtx, query: QuarantineQuery): Promise<Answer<QuarantineList>> {
  const request = pageRequest(query);
  const rows = await listQuarantine(ctx.sql, query.reason ?? null, request, ctx.now);
  return { body: page(rows, request, quarantined) };
}

/** Puts the callback of one of them back into the queue; one that was replayed already is answered as it is. */
export async function replayQuarantined(ctx: TxCtx, id: string): Promise<Answer<QuarantinedChange>> {
  const row = await replayOne(ctx.sql, uuidOfPath("qrn", id), ctx.now);
  if (!row) throw notFound();
  if (row.outcome === "gone") throw new Problem("conflict", "Its raw callback is no longer kept.");
  return {
    body: quarantined(row),
    resource: { type: "quarantine", id },
    changes: row.outcome === "replayed" ? { replayed_at: quarantined(row).replayed_at } : null,
  };
}

/** Puts back what waits for a reason, the oldest first, as much as one call may. */
export async function replayAllOf(ctx: TxCtx, { reason }: QuarantineReplay): Promise<Answer<QuarantineReplayed>> {
  const rows = await replayReason(ctx.sql, reason, MOST_A_CALL, ctx.now);
  const body = { replayed: rows.length, has_more: rows.length === MOST_A_CALL };
  return { body, changes: { reason, replayed: rows.length } };
}

const ALL_SLOTS = Array.from({ length: SLOTS }, (_, slot) => slot);

/** The `after` of a replay: its lanes look at once. */
export function hintIngest<Body>(ctx: Ctx, answer: Answer<Body>): Promise<Answer<Body>> {
  ctx.notifier.hint("ingest", ALL_SLOTS);
  return Promise.resolve(answer);
}

/** Replays what failed and is due; several processes may at once. */
export async function replayFailed({ db, clock, notifier, log }: App): Promise<void> {
  let replayed = 0;
  for (let call = 0; call < MOST_CALLS; call++) {
    const rows = await replayDue(db, MOST_A_CALL, clock.now());
    replayed += rows.length;
    notifier.hint("ingest", new Set(rows.map(({ slot }) => slot)));
    if (rows.length < MOST_A_CALL) break;
  }
  if (replayed > 0) log.info({ replayed }, "callbacks that failed are tried again");
}

const timeOrNull = (time: Date | null): string | null => (time === null ? null : formatTime(time.getTime()));

const quarantined = (row: QuarantineRow): QuarantinedChange => ({
  id: formatId("qrn", row.id),
  reason: row.reason,
  detail: row.detail,
  provider_phone_number_id: row.provider_phone_number_id,
  provider_account_id: row.provider_account_id,
  replays: row.tries,
  next_replay_at: timeOrNull(row.replay_at),
  created_at: formatTime(row.created_at.getTime()),
  replayed_at: timeOrNull(row.replayed_at),
});
