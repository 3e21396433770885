import type { App } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import { isOfAccount, isUnknownObject } from "../../../provider/error-table.ts";
import type { AccountAccess, ProviderAccount, ProviderError, ProviderPhoneNumber } from "../../../provider/provider.ts";
import { slotsOfMask } from "../../events/event.sql.ts";
import type { Task, TaskOutcome } from "../../tasks/lane.ts";
import { hintTasks, isAnotherPausing } from "../../tasks/task.ts";
import {
  CHECK,
  type CheckPayload,
  enqueueProbe,
  PROBE_EVERY_MS,
  reasonOf,
  restrict,
  retryAfter,
} from "../account-failures.ts";
import { isOn } from "../connected.ts";
import { updateAccountRowFacts } from "../facts.store.ts";
import { takeLimit } from "../limit.ts";
import { lockNumberRows } from "../numbers/number.store.ts";
import type { AccountDeps } from "../parts.ts";
import { disconnectIn, restrictIn } from "../routing.store.ts";
import {
  lockSecretAccountRow,
  type SecretAccountRow,
  selectSecretAccountRow,
  updateAccountRowChecked,
} from "../store.ts";
import { openToken } from "../token.ts";
import { importNumbers, limitsOf, OwnedElsewhere, takePortfolio } from "./provider-import.ts";

/**
 * Looks into an account: whether the provider still lets its token read it, whether it may send, what it is called, in which portfolio
 * it is and in which state its numbers are. Disconnects, restricts or lifts a restriction because of the provider's answers to this
 * check itself. A probe goes on while the account is restricted.
 */
export async function check(app: App, deps: AccountDeps, task: Task): Promise<TaskOutcome> {
  const { workspaceId } = task;
  const { account_id: id, probe = true, from = 0 } = task.payload as CheckPayload; // as enqueued in account-failures.ts
  const account = await app.db.read(workspaceId, (sql) => selectSecretAccountRow(sql, workspaceId, id));
  if (account?.status === "connecting") return { kind: "retry", error: { code: "connecting", detail: "" } };
  const accessToken = account && isOn(account) ? openToken(app.secrets, workspaceId, id, account.access_token) : null;
  // A token that does not open is a matter of WAYPOST_ENCRYPTION_KEY, not of the account.
  if (!account || accessToken === null) return { kind: "done" };
  if (app.clock.now() < from) return stillRestricted(account.status_reason, from);

  const finding = await ask(app, { accessToken, providerAccountId: account.provider_account_id, background: true });
  if ("later" in finding) {
    const isDouble = await app.db.read(workspaceId, (sql) => isAnotherPausing(sql, task, id));
    return !probe && task.kind === CHECK && isDouble ? { kind: "done" } : retryAfter(app, finding.later);
  }
  await settle(app, workspaceId, account, finding);
  deps.forget(workspaceId);
  if (!probe || finding.verdict !== "restrict") return { kind: "done" };
  if (!task.lastTry) return stillRestricted(finding.reason, app.clock.now() + PROBE_EVERY_MS);
  // A task ends after a day; a restriction may last longer.
  await app.db.transaction(workspaceId, (sql) => enqueueProbe(sql, workspaceId, id, app.clock.now()));
  return { kind: "done" };
}

const stillRestricted = (reason: string | null, at: number): TaskOutcome => ({
  kind: "retry",
  error: { code: "account_restricted", detail: reason ?? "" },
  at,
});

type Verdict = "well" | "disconnect" | "restrict";
type Found = { account: ProviderAccount; numbers: ProviderPhoneNumber[] };
/** `askedAt`: milliseconds, before the provider was asked. */
type Finding = { verdict: Verdict; reason: string | null; found: Found | null; askedAt: number };

async function ask({ provider, clock }: App, access: AccountAccess): Promise<Finding | { later: ProviderError }> {
  const askedAt = clock.now();
  const account = await provider.getAccount(access);
  const numbers = account.ok ? await provider.listPhoneNumbers(access) : account;
  if (account.ok && numbers.ok) {
    const { blocked } = account.value;
    const found = { account: account.value, numbers: numbers.value };
    return { verdict: blocked === null ? "well" : "restrict", reason: blocked, found, askedAt };
  }
  const error = numbers.ok ? null : numbers.error;
  const verdict = error && verdictOf(error);
  if (!error || !verdict) return { later: error as ProviderError }; // one of the two was refused
  return { verdict, reason: reasonOf(error), found: null, askedAt };
}

/**
 * Null: the answer says nothing of the account. A mistake in the call, such as a wrong PROVIDER_APP_SECRET or a field that the provider
 * has dropped, is refused for each account alike, and must not end the connections of all.
 */
function verdictOf(error: ProviderError): Verdict | null {
  // A page of a proxy or of an edge is not the provider's own answer.
  if (error.provider === null && error.httpStatus !== null) return null;
  if (error.class === "token" || error.code === "account_disconnected" || isUnknownObject(error)) return "disconnect";
  return isOfAccount(error.class) ? "restrict" : null;
}

async function settle(app: App, workspaceId: string, checked: SecretAccountRow, finding: Finding): Promise<void> {
  const foreign = await settleAll(app, workspaceId, checked, finding);
  const { found } = finding;
  if (foreign.length === 0 || found === null) return;
  // A new number of this account belongs to another workspace: it stays there until that has noticed that the number has left.
  const ids = { workspace_id: workspaceId, business_account_id: checked.id, provider_ids: foreign };
  app.log.warn(ids, "a number is owned by another workspace");
  const numbers = found.numbers.filter((one) => !foreign.includes(one.providerPhoneNumberId));
  await settleAll(app, workspaceId, checked, { ...finding, found: { ...found, numbers } });
}

/** The provider's ids of what another workspace has; nothing was stored then. */
async function settleAll(
  app: App,
  workspaceId: string,
  checked: SecretAccountRow,
  finding: Finding,
): Promise<readonly string[]> {
  const { id } = checked;
  try {
    const slotsMask = await app.db.transaction(workspaceId, async (sql) => {
      await lockNumberRows(sql, workspaceId);
      const account = await lockSecretAccountRow(sql, workspaceId, id);
      // A token stored since then has been verified itself.
      if (!account || !isOn(account) || !sameToken(account, checked)) return null;
      return await store(sql, workspaceId, { account, checked, finding, now: app.clock.now() });
    });
    app.notifier.hint("deliver", slotsOfMask(slotsMask));
    hintTasks(app.notifier, workspaceId);
    return [];
  } catch (error) {
    if (!(error instanceof OwnedElsewhere)) throw error;
    return error.providerIds;
  }
}

type Stored = { account: SecretAccountRow; checked: SecretAccountRow; finding: Finding; now: number };

/** The slots to hint, if any. */
async function store(
  sql: Sql,
  workspaceId: string,
  { account, checked, finding: { verdict, reason, found, askedAt }, now }: Stored,
): Promise<string | null> {
  const { id, provider_account_id: providerAccountId } = account;
  if (verdict === "disconnect") {
    const row = { workspace_id: workspaceId, id, reason: reason ?? "", provider_event: null, with_event: true };
    return await disconnectIn(sql, row, now);
  }
  if (found !== null) {
    const { numbers } = found;
    await importNumbers(sql, workspaceId, { accountId: id, providerAccountId, numbers, now });
    await updateAccountRowFacts(sql, workspaceId, id, found.account);
    const hasMoved = await takePortfolio(sql, workspaceId, account, found.account);
    const limits = limitsOf(numbers);
    await takeLimit(sql, workspaceId, { businessAccountId: id, isNew: false, hasMoved, limits, now });
  }
  if (verdict === "restrict") return await restrict(sql, workspaceId, id, { reason, now });
  await updateAccountRowChecked(sql, workspaceId, id, new Date(askedAt));
  // A restriction that began while the provider was asked is newer than its answer.
  if (account.updated_at.getTime() !== checked.updated_at.getTime()) return null;
  const lifted = { workspace_id: workspaceId, id, restricted: false, reason: null, provider_event: null };
  return await restrictIn(sql, lifted, now);
}

const sameToken = (a: SecretAccountRow, b: SecretAccountRow): boolean =>
  a.access_token !== null && b.access_token !== null && a.access_token.equals(b.access_token);
