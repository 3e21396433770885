import type { App } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import { ALL_SLOTS } from "../../../lanes/lane-kinds.ts";
import { newUuid } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { emit } from "../../events/event.ts";
import { enqueueTask, hintTasks } from "../../tasks/task.ts";
import { ACCOUNT_EVENTS } from "../events.ts";
import { lockNumberRows } from "../numbers/number.store.ts";
import { insertOrLockAccountRow, selectAccountRow } from "../store.ts";
import { CONNECT, type ConnectPayload } from "../tasks/connect-task.ts";
import {
  ANOTHER_ACCOUNT,
  fetchAccount,
  OWNED_ELSEWHERE,
  OwnedElsewhere,
  type ProviderSnapshot,
  takeAccount,
} from "../tasks/provider-import.ts";
import { sealToken } from "../token.ts";
import { accessOf, type Run, type StepResult, UNREADABLE_TOKEN } from "./run.ts";
import { lockSignupRow, updateSignupRow } from "./signup.store.ts";
import { failed, ofProvider } from "./step.ts";
import { SIGNUP_KEPT_MS } from "./times.ts";

/**
 * Connects the account: numbers, templates, routes, token, the event and the end of the signup are one transaction, so a signup is
 * completed once and never half. An account that the workspace has connected already gets the new token.
 */
export async function importAccount(run: Run): Promise<StepResult> {
  const { app, deps, workspaceId } = run;
  const access = accessOf(run);
  if (access === null) return UNREADABLE_TOKEN;
  const readAt = app.clock.now();
  const found = await fetchAccount(app, access);
  if (!found.ok) return ofProvider(found.error, "Resume the signup when that is settled.");
  if (found.value.account.providerAccountId !== access.providerAccountId)
    return failed("account_not_granted", ANOTHER_ACCOUNT);
  let isMine: boolean;
  try {
    const taken = { accessToken: access.accessToken, found: found.value, readAt };
    isMine = await app.db.transaction(workspaceId, (sql) => take(sql, run, taken));
  } catch (error) {
    if (!(error instanceof OwnedElsewhere)) throw error;
    return failed("conflict", `${OWNED_ELSEWHERE} Then resume the signup.`);
  }
  if (!isMine) return { kind: "overtaken" };
  deps.forget(workspaceId);
  hintCompleted(app, workspaceId);
  return { kind: "stored" };
}

// All slots: it is only a hint, and a signup is rare.
function hintCompleted({ notifier }: App, workspaceId: string): void {
  notifier.hint("deliver", ALL_SLOTS);
  hintTasks(notifier, workspaceId);
}

type Taken = { accessToken: string; found: ProviderSnapshot; readAt: number };

/** False: another run has the signup, and nothing was done. Throws `OwnedElsewhere`. */
async function take(sql: Sql, run: Run, { accessToken, found, readAt }: Taken): Promise<boolean> {
  const { app, deps, workspaceId, claim } = run;
  const now = app.clock.now();
  // Every import locks in this order: workspace, account, routes. The signup is before them all, and of this run alone.
  const signup = await lockSignupRow(sql, workspaceId, run.row.id);
  if (signup?.claim !== claim) return false;
  await lockNumberRows(sql, workspaceId);
  const fresh = {
    id: newUuid(now),
    providerAccountId: found.account.providerAccountId,
    taskId: newUuid(now),
    now: new Date(now),
  };
  const account = await insertOrLockAccountRow(sql, workspaceId, fresh);
  const token = sealToken(app.secrets, workspaceId, account.id, accessToken);
  await takeAccount(sql, workspaceId, { account, token, found, readAt, now }, deps);
  const numbers = found.numbers.length;
  const detail = `${numbers} phone number${numbers === 1 ? "" : "s"} and ${found.templates.length} template${found.templates.length === 1 ? "" : "s"}.`;
  const row = {
    ...signup,
    status: "completed" as const,
    business_account_id: account.id,
    done: [...signup.done, { name: "import" as const, detail, completed_at: isoTime(now) }],
    error: null,
    access_token: null,
    pin: null,
    claim: null,
    claimed_until: null,
    completed_at: new Date(now),
    sweep_at: new Date(now + SIGNUP_KEPT_MS),
  };
  await updateSignupRow(sql, workspaceId, { held: claim, row, now: new Date(now) });
  const state = { business_account: await selectAccountRow(sql, workspaceId, account.id) };
  const event = {
    kind: "signup_completed" as const,
    resource: account.id,
    businessAccount: account.id,
    state,
    conversation: account.id,
  };
  await emit({ sql, workspaceId, now }, ACCOUNT_EVENTS, event);
  // Replays the callbacks that came before the account had an owner, at least once whatever happens to this process.
  const payload: ConnectPayload = { account_id: account.id };
  await enqueueTask(sql, workspaceId, { kind: CONNECT, payload, now, id: fresh.taskId });
  return true;
}
