import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { HOUR_MS } from "../../lib/duration.ts";
import type { ProviderError } from "../../provider/provider.ts";
import { slotsOfMask } from "../events/event.sql.ts";
import type { TaskOutcome } from "../tasks/lane.ts";
import { enqueueTask, hintTasks, lastTask } from "../tasks/task.ts";
import { disconnectIn, restrictIn } from "./routing.store.ts";
import { lockSecretAccountRow } from "./store.ts";

/** The kind of the task that looks into an account. */
export const CHECK = "account.check";
/**
 * `probe`: the check is repeated while the account is restricted, the first time at `from` (milliseconds). Each restriction has one
 * such task, and `wait_ms` is how long it was from its start to `from`. A task of an earlier version has none of them.
 */
export type CheckPayload = { account_id: string; probe?: boolean; from?: number; wait_ms?: number };

/** No send lives longer (cached token 20 s, provider call 30 s): a token stored earlier than this is surely the one refused. */
const TOKEN_SETTLED_MS = 60_000;
/** How often a restricted account is looked at: twelve of the 200 management calls that an account surely has in an hour. */
export const PROBE_EVERY_MS = 5 * 60_000;

/**
 * The provider may refuse sends of an account that it calls healthy when it is asked: each look would lift the restriction, and the
 * next send begin it again. A send that is refused so soon after a look has the next one wait twice as long, up to this.
 */
const SOON_AFTER_MS = HOUR_MS;
const LONGEST_WAIT_MS = 8 * HOUR_MS;

/** The provider's own text about its refusal, returned as the account's `status_reason`. */
export const reasonOf = (error: ProviderError): string => error.provider?.title ?? error.detail;

/** Tasks that wait for the same quota do not all begin again at once. */
const QUOTA_SPREAD = 0.2;

/** The outcome of a task whose call of the provider failed and is worth repeating: at its quota of calls, when that has room again. */
export function retryAfter({ clock, random }: Pick<App, "clock" | "random">, error: ProviderError): TaskOutcome {
  const { retryAfterMs } = error;
  const again =
    retryAfterMs === undefined ? {} : { at: clock.now() + Math.ceil(retryAfterMs * (1 + QUOTA_SPREAD * random())) };
  return { kind: "retry", error: { code: error.code, detail: reasonOf(error) }, ...again };
}

/**
 * Handles a refusal that is about an account or its token: a token that is surely dead disconnects the account at once, a locked
 * account is restricted at once; for anything else a task looks into the account. `accountChangedAt`: the state of the account in
 * which it was refused; of another one, whose restriction may be over, nothing is concluded.
 */
export async function reportTrouble(
  app: App,
  workspaceId: string,
  accountId: string,
  error: ProviderError,
  accountChangedAt: number | null = null,
): Promise<void> {
  const now = app.clock.now();
  const slotsMask = await app.db.transaction(workspaceId, async (sql) => {
    if (error.class === "locked" && (await isAsOf(sql, workspaceId, accountId, accountChangedAt)))
      return await restrictRefused(sql, workspaceId, accountId, { reason: reasonOf(error), now });
    const ended = error.class === "token" ? await disconnectDead(sql, workspaceId, accountId, error, now) : null;
    if (ended === null) await enqueueCheck(sql, workspaceId, accountId, now);
    return ended;
  });
  hintTasks(app.notifier, workspaceId);
  if (slotsMask === null) return;
  app.notifier.hint("deliver", slotsOfMask(slotsMask));
  app.log.warn(
    { workspace_id: workspaceId, business_account_id: accountId, provider_code: error.provider?.code },
    "the provider does not let an account send: its messages wait",
  );
}

/** Asks the provider how an account is: it said that something has changed. */
export async function requestCheck(app: App, workspaceId: string, accountId: string): Promise<void> {
  await app.db.transaction(workspaceId, (sql) => enqueueCheck(sql, workspaceId, accountId, app.clock.now()));
  hintTasks(app.notifier, workspaceId);
}

async function restrictRefused(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  { reason, now }: { reason: string; now: number },
): Promise<string | null> {
  const last = await lastTask(sql, workspaceId, { kind: CHECK, subject: probeOf(accountId) });
  const waited = (last?.payload as CheckPayload | undefined)?.wait_ms; // as enqueued below
  const isSoon = last !== null && last.endedAt > now - SOON_AFTER_MS;
  const waitMs = isSoon ? Math.min(LONGEST_WAIT_MS, 2 * (waited ?? PROBE_EVERY_MS)) : PROBE_EVERY_MS;
  return await restrict(sql, workspaceId, accountId, { reason, now, waitMs });
}

/** Restricts an account and begins to look whether that is lifted. The slots to hint; null: it was not connected. */
export async function restrict(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  { reason, now, waitMs = PROBE_EVERY_MS }: { reason: string | null; now: number; waitMs?: number },
): Promise<string | null> {
  const row = { workspace_id: workspaceId, id: accountId, restricted: true, reason, provider_event: null };
  const slotsMask = await restrictIn(sql, row, now);
  if (slotsMask !== null) await enqueueProbe(sql, workspaceId, accountId, now, waitMs);
  return slotsMask;
}

/** Looks into a restricted account after `waitMs`, and regularly from then on. */
export async function enqueueProbe(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  now: number,
  waitMs: number = PROBE_EVERY_MS,
): Promise<void> {
  const payload: CheckPayload = { account_id: accountId, probe: true, from: now + waitMs, wait_ms: waitMs };
  await enqueueTask(sql, workspaceId, { kind: CHECK, subject: probeOf(accountId), payload, now, accountId });
}

const probeOf = (accountId: string): string => `${accountId} probe`;

async function isAsOf(sql: Sql, workspaceId: string, accountId: string, changedAt: number | null): Promise<boolean> {
  const account = await lockSecretAccountRow(sql, workspaceId, accountId);
  return changedAt === null || account?.updated_at.getTime() === changedAt;
}

/** The slots to hint; null when it was disconnected already, or when the refusal may be about a token replaced since. */
async function disconnectDead(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  error: ProviderError,
  now: number,
): Promise<string | null> {
  const account = await lockSecretAccountRow(sql, workspaceId, accountId);
  if (!account?.token_since || now - account.token_since.getTime() < TOKEN_SETTLED_MS) return null;
  const row = {
    workspace_id: workspaceId,
    id: accountId,
    reason: reasonOf(error),
    provider_event: null,
    with_event: true,
  };
  return await disconnectIn(sql, row, now);
}

/** Asks in the running transaction. One waiting check for each account is enough. */
export async function enqueueCheck(sql: Sql, workspaceId: string, accountId: string, now: number): Promise<void> {
  const payload: CheckPayload = { account_id: accountId, probe: false };
  await enqueueTask(sql, workspaceId, { kind: CHECK, subject: accountId, payload, now, accountId, joins: true });
}
