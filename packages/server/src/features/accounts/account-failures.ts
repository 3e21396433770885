import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import type { ProviderError } from "../../provider/provider.ts";
import { enqueueTask, hintTasks } from "../tasks/task.ts";
import { slotsOfMask } from "../webhooks/event.sql.ts";
import { disconnectIn } from "./routing.store.ts";
import { lockSecretAccountRow } from "./store.ts";

/** The kind of the task that looks into an account, and its payload. */
export const CHECK = "account.check";
export type CheckPayload = { account_id: string };

/** No send lives longer (cached token 20 s, provider call 30 s): a token stored earlier than this is surely the one refused. */
const TOKEN_SETTLED_MS = 60_000;

/** The provider's own text about its refusal, returned as the account's `status_reason`. */
export const reasonOf = (error: ProviderError): string => error.provider?.title ?? error.detail;

/**
 * Handles a refusal that is about an account or its token: a token that is surely dead disconnects the account at once; for
 * anything else a task looks into the account.
 */
export async function reportTrouble(
  app: App,
  workspaceId: string,
  accountId: string,
  error: ProviderError,
): Promise<void> {
  const now = app.clock.now();
  const slotsMask = await app.db.transaction(workspaceId, async (sql) => {
    const disconnected = error.class === "token" ? await disconnectDead(sql, workspaceId, accountId, error, now) : null;
    if (disconnected === null) await enqueueCheck(sql, workspaceId, accountId, now);
    return disconnected;
  });
  if (slotsMask === null) return hintTasks(app.notifier, workspaceId);
  app.notifier.hint("deliver", slotsOfMask(slotsMask));
  app.log.warn(
    { workspace_id: workspaceId, business_account_id: accountId },
    "account disconnected: its token is dead",
  );
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

// One waiting check for each account is enough.
async function enqueueCheck(sql: Sql, workspaceId: string, accountId: string, now: number): Promise<void> {
  const payload: CheckPayload = { account_id: accountId };
  await enqueueTask(sql, workspaceId, { kind: CHECK, subject: accountId, payload, now });
}
