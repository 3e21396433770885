import type { App } from "../../../ctx.ts";
import { slotsOfMask } from "../../events/event.sql.ts";
import type { Task, TaskError, TaskOutcome } from "../../tasks/lane.ts";
import { hintTasks } from "../../tasks/task.ts";
import { retryAfter } from "../account-failures.ts";
import { isOn } from "../connected.ts";
import { lockNumberRows, selectNumberRowsOfAccounts } from "../numbers/number.store.ts";
import type { AccountDeps } from "../parts.ts";
import { disconnectIn } from "../routing.store.ts";
import {
  lockSecretAccountRow,
  type SecretAccountRow,
  selectSecretAccountRow,
  updateAccountRowTokenRefused,
  updateAccountRowTokensErased,
} from "../store.ts";
import { openToken } from "../token.ts";
import { refusalOf, wrongIdOf } from "../wrong-id.ts";
import {
  ANOTHER_ACCOUNT,
  fetchAccount,
  isRefusal,
  OWNED_ELSEWHERE,
  OwnedElsewhere,
  type ProviderSnapshot,
  takeAccount,
} from "./provider-import.ts";

export const CONNECT = "account.connect";
export type ConnectPayload = { account_id: string };

/**
 * The task behind `POST /v1/business-accounts`. Where the provider had not answered the request in time, it first verifies
 * the waiting token, imports, takes the routes and connects. Then, and where the request itself has connected the account, it
 * replays the callbacks that arrived before a workspace owned the account.
 */
export async function connect(app: App, deps: AccountDeps, task: Task): Promise<TaskOutcome> {
  const { workspaceId } = task;
  const { account_id } = task.payload as ConnectPayload; // as enqueued by the verb
  const account = await app.db.read(workspaceId, (sql) => selectSecretAccountRow(sql, workspaceId, account_id));
  if (!account) return DONE;
  // An earlier run may have been killed between its commit and what follows it.
  if (account.pending_token === null) return isOn(account) ? await connected(app, deps, task, account) : DONE;

  const accessToken = openToken(app.secrets, workspaceId, account.id, account.pending_token);
  if (accessToken === null) return await refuse(app, task, account, UNREADABLE);
  const readAt = app.clock.now();
  const access = { accessToken, providerAccountId: account.provider_account_id };
  const found = await fetchAccount(app, access);
  if (!found.ok) {
    const { error } = found;
    const wrongId = isRefusal(error) ? await wrongIdOf(app.provider, access, error) : null;
    const reason = { code: error.code, detail: refusalOf(error, wrongId) };
    const final = isRefusal(error) || task.lastTry;
    return final ? await refuse(app, task, account, reason) : retryAfter(app, error);
  }
  if (found.value.account.providerAccountId !== account.provider_account_id)
    return await refuse(app, task, account, OTHER_ACCOUNT);
  try {
    if (!(await take(app, deps, task, { account, found: found.value, readAt }))) return DONE;
  } catch (error) {
    if (!(error instanceof OwnedElsewhere)) throw error;
    return await refuse(app, task, account, ELSEWHERE);
  }
  return await connected(app, deps, task, account);
}

const DONE: TaskOutcome = { kind: "done" };
const UNREADABLE: TaskError = { code: "token_unreadable", detail: "The stored token cannot be opened; send it again." };
const OTHER_ACCOUNT: TaskError = { code: "other_account", detail: ANOTHER_ACCOUNT };
const ELSEWHERE: TaskError = { code: "conflict", detail: OWNED_ELSEWHERE };

type Found = { account: SecretAccountRow; found: ProviderSnapshot; readAt: number };

/** Everything in one transaction; false when a newer request has replaced the token, or a disconnect erased it, meanwhile. */
async function take(
  app: App,
  deps: AccountDeps,
  { workspaceId }: Task,
  { account: { id, pending_token: token }, found, readAt }: Found,
): Promise<boolean> {
  const now = app.clock.now();
  const slots = await app.db.transaction(workspaceId, async (sql) => {
    await lockNumberRows(sql, workspaceId);
    const account = await lockSecretAccountRow(sql, workspaceId, id);
    if (!account || token === null || !same(account.pending_token, token)) return null;
    return await takeAccount(sql, workspaceId, { account, token, found, readAt, now }, deps);
  });
  if (slots === null) return false;
  app.notifier.hint("deliver", slots);
  hintTasks(app.notifier, workspaceId);
  return true;
}

async function connected(
  app: App,
  deps: AccountDeps,
  { workspaceId }: Task,
  account: SecretAccountRow,
): Promise<TaskOutcome> {
  deps.forget(workspaceId);
  const numbers = await app.db.read(workspaceId, (sql) => selectNumberRowsOfAccounts(sql, workspaceId, [account.id]));
  await deps.replayUnowned(app, {
    providerAccountId: account.provider_account_id,
    providerPhoneNumberIds: numbers.map((number) => number.provider_phone_number_id),
  });
  return DONE;
}

/** Ends an attempt to connect. An account that works with an older token keeps working with it. */
async function refuse(
  app: App,
  { workspaceId }: Task,
  account: SecretAccountRow,
  error: TaskError,
): Promise<TaskOutcome> {
  const now = app.clock.now();
  const slotsMask = await app.db.transaction(workspaceId, async (sql) => {
    const current = await lockSecretAccountRow(sql, workspaceId, account.id);
    if (!current || !same(current.pending_token, account.pending_token)) return null;
    if (isOn(current)) {
      const reason = `The new access token was refused: ${error.detail}`;
      await updateAccountRowTokenRefused(sql, workspaceId, account.id, { reason, now: new Date(now) });
      return null;
    }
    const row = {
      workspace_id: workspaceId,
      id: account.id,
      reason: error.detail,
      provider_event: null,
      with_event: true,
    };
    const mask = await disconnectIn(sql, row, now);
    await updateAccountRowTokensErased(sql, workspaceId, account.id);
    return mask;
  });
  app.notifier.hint("deliver", slotsOfMask(slotsMask));
  return { kind: "failed", error };
}

const same = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b));
