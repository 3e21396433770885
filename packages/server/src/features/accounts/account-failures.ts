import type { Sql } from "../../db/database.ts";
import type { ProviderError } from "../../provider/provider.ts";
import { enqueueTask } from "../tasks/task.ts";
import { disconnectIn } from "./routing.store.ts";
import { lockAccount } from "./store.ts";

export const CHECK = "account.check";
export type CheckPayload = { account_id: string };

/** No send lives longer (cached token 20 s, provider call 30 s): a token taken earlier than this is surely the one refused. */
const TOKEN_SETTLED_MS = 60_000;

/** What the provider says of its refusal, as the account's reason. */
export const reasonOf = (error: ProviderError): string => error.provider?.title ?? error.detail;

/** Disconnects. The slots to hint; null when it was off already, or when the refusal may speak of a token replaced meanwhile. */
export async function disconnectDead(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  error: ProviderError,
  now: number,
): Promise<string | null> {
  const account = await lockAccount(sql, workspaceId, accountId);
  if (!account?.token_since || now - account.token_since.getTime() < TOKEN_SETTLED_MS) return null;
  const row = { workspace_id: workspaceId, id: accountId, reason: reasonOf(error), provider_event: null, tell: true };
  return await disconnectIn(sql, row, now);
}

/** Has the account and its token looked into; one waiting check is enough. */
export async function enqueueCheck(sql: Sql, workspaceId: string, accountId: string, now: number): Promise<void> {
  const payload: CheckPayload = { account_id: accountId };
  await enqueueTask(sql, workspaceId, { kind: CHECK, subject: accountId, payload, now });
}
