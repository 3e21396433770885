import type { App, Ctx, TxCtx } from "../../ctx.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { type Page, page, pageRequest } from "../../http/pagination.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { ALL_SLOTS } from "../../lanes/lane-kinds.ts";
import { replayQuarantine } from "./ingress.store.ts";
import {
  selectQuarantined,
  selectQuarantineRows,
  updateDueQuarantineRowsReplayed,
  updateQuarantineRowReplayed,
  updateQuarantineRowsReplayed,
} from "./quarantine.store.ts";
import { renderQuarantined, renderWithCallback } from "./render.ts";
import type {
  QuarantinedCallback,
  QuarantinedChange,
  QuarantineQuery,
  QuarantineReplay,
  QuarantineReplayed,
} from "./schema.ts";

/** Replayed in one call: a transaction of some tens of milliseconds. */
const MOST_A_CALL = 1_000;
/** Calls of one round of the timer: all that an outage of minutes has quarantined is replayed within a few rounds. */
const MOST_CALLS = 10;

/** The changes that wait in quarantine, newest first. */
export async function listQuarantine(
  ctx: TxCtx,
  { query }: { query: QuarantineQuery },
): Promise<Answer<Page<QuarantinedChange>>> {
  const request = pageRequest(query);
  const rows = await selectQuarantineRows(ctx.sql, query.reason ?? null, request, ctx.now);
  return { body: page(rows, request, renderQuarantined) };
}

/** One change, replayed or not, with the callback that it came in as the provider posted it. */
export async function getQuarantined(ctx: TxCtx, { params }: ById): Promise<Answer<QuarantinedCallback>> {
  const row = await selectQuarantined(ctx.sql, uuidOfPath("qrn", params.id), ctx.now);
  if (!row) throw notFound();
  return { body: renderWithCallback(row), resource: { type: "quarantine", id: params.id } };
}

/** Puts the callback of a change back into the queue; a change that was replayed already is returned as it is. */
export async function replayQuarantined(ctx: TxCtx, { params }: ById): Promise<Answer<QuarantinedChange>> {
  const row = await updateQuarantineRowReplayed(ctx.sql, uuidOfPath("qrn", params.id), ctx.now);
  if (!row) throw notFound();
  if (row.outcome === "gone") throw new Problem("conflict", "Its raw callback is no longer kept.");
  const body = renderQuarantined(row);
  return {
    body,
    resource: { type: "quarantine", id: params.id },
    changes: row.outcome === "replayed" ? { replayed_at: body.replayed_at } : null,
  };
}

/** Puts the callbacks of changes with one reason back into the queue, the oldest first, up to `MOST_A_CALL`. */
export async function replayAllWithReason(
  ctx: TxCtx,
  { body: { reason } }: { body: QuarantineReplay },
): Promise<Answer<QuarantineReplayed>> {
  const rows = await updateQuarantineRowsReplayed(ctx.sql, reason, MOST_A_CALL, ctx.now);
  const body = { replayed: rows.length, has_more: rows.length === MOST_A_CALL };
  return { body, changes: { reason, replayed: rows.length } };
}

/** The `after` of a replay: the owners of the lanes read the queue at once. */
export function hintIngest<Body>(ctx: Ctx, answer: Answer<Body>): Promise<Answer<Body>> {
  ctx.notifier.hint("ingest", ALL_SLOTS);
  return Promise.resolve(answer);
}

/** Replays the callbacks of a number or account that had no owner when they arrived, now that it is connected. */
export async function replayUnowned(
  app: App,
  connected: { providerAccountId: string; providerPhoneNumberIds: readonly string[] },
): Promise<void> {
  const rows = [
    { provider_phone_number_id: null, provider_account_id: connected.providerAccountId },
    ...connected.providerPhoneNumberIds.map((id) => ({ provider_phone_number_id: id, provider_account_id: null })),
  ];
  const slots = await app.db.call(replayQuarantine, rows, app.clock.now());
  app.notifier.hint(
    "ingest",
    slots.map((row) => row.slot),
  );
}

/** Replays the failed changes that are due; several processes may do so at once. */
export async function replayFailed({ db, clock, notifier, log }: App): Promise<void> {
  let replayed = 0;
  for (let call = 0; call < MOST_CALLS; call++) {
    const rows = await updateDueQuarantineRowsReplayed(db, MOST_A_CALL, clock.now());
    replayed += rows.length;
    notifier.hint("ingest", new Set(rows.map(({ slot }) => slot)));
    if (rows.length < MOST_A_CALL) break;
  }
  if (replayed > 0) log.info({ replayed }, "callbacks that failed are tried again");
}
