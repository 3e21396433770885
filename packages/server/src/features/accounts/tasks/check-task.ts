import type { App } from "../../../ctx.ts";
import { isOfAccount } from "../../../provider/error-table.ts";
import type { ProviderError, ProviderPhoneNumber } from "../../../provider/provider.ts";
import type { Task, TaskOutcome } from "../../tasks/lane.ts";
import { slotsOfMask } from "../../webhooks/event.sql.ts";
import { type CheckPayload, reasonOf } from "../account-failures.ts";
import { disconnectIn } from "../routing.store.ts";
import {
  lockNumberRows,
  lockSecretAccountRow,
  type SecretAccountRow,
  selectSecretAccountRow,
  updateAccountRowRestricted,
} from "../store.ts";
import { openToken } from "../token.ts";
import type { ConnectDeps } from "./connect-task.ts";
import { importNumbers, OwnedElsewhere } from "./provider-import.ts";

/** People lift a restriction, so the account is checked for it rarely. */
const RESTRICTED_AGAIN_MS = 15 * 60_000;

/**
 * Looks into an account for which a send or a call was refused: whether the provider still lets its token read it, and in
 * which state its numbers are. Disconnects or restricts only because of the provider's answers to this check itself.
 */
export async function check(app: App, deps: ConnectDeps, task: Task): Promise<TaskOutcome> {
  const { workspaceId } = task;
  const { account_id } = task.payload as CheckPayload; // as enqueued in account-failures.ts
  const account = await app.db.read(workspaceId, (sql) => selectSecretAccountRow(sql, workspaceId, account_id));
  const accessToken =
    account && isOn(account) ? openToken(app.secrets, workspaceId, account_id, account.access_token) : null;
  // A token that does not open is a matter of WAYPOST_ENCRYPTION_KEY, not of the account.
  if (!account || accessToken === null) return { kind: "done" };

  const access = { accessToken, providerAccountId: account.provider_account_id };
  const read = await app.provider.getAccount(access);
  const numbers = read.ok ? await app.provider.listPhoneNumbers(access) : read;
  const verdict = numbers.ok ? null : verdictOf(numbers.error);
  if (!numbers.ok && verdict === "later")
    return { kind: "retry", error: { code: numbers.error.code, detail: reasonOf(numbers.error) } };
  const reason = numbers.ok ? null : reasonOf(numbers.error);
  await settle(app, workspaceId, account, { verdict, reason, numbers: numbers.ok ? numbers.value : null });
  deps.forget(workspaceId);
  if (verdict !== "restrict") return { kind: "done" };
  const error = { code: "account_restricted", detail: reason ?? "" };
  return { kind: "retry", error, at: app.clock.now() + RESTRICTED_AGAIN_MS };
}

const isOn = ({ status }: SecretAccountRow): boolean => status === "connected" || status === "restricted";

type Verdict = "disconnect" | "restrict" | "later";

function verdictOf(error: ProviderError): Verdict {
  if (error.class === "token" || error.code === "account_disconnected") return "disconnect";
  if (isOfAccount(error.class)) return "restrict";
  // 100, 803: this token can no longer see the account.
  return error.class === "permanent" ? "disconnect" : "later";
}

type Finding = { verdict: Verdict | null; reason: string | null; numbers: ProviderPhoneNumber[] | null };

async function settle(app: App, workspaceId: string, checked: SecretAccountRow, finding: Finding): Promise<void> {
  const now = app.clock.now();
  const { id, provider_account_id: providerAccountId } = checked;
  try {
    const slotsMask = await app.db.transaction(workspaceId, async (sql) => {
      await lockNumberRows(sql, workspaceId);
      const account = await lockSecretAccountRow(sql, workspaceId, id);
      // A token stored since then has been verified itself.
      if (!account || !isOn(account) || !sameToken(account, checked)) return null;
      if (finding.verdict === "disconnect") {
        const row = {
          workspace_id: workspaceId,
          id,
          reason: finding.reason ?? "",
          provider_event: null,
          with_event: true,
        };
        return await disconnectIn(sql, row, now);
      }
      const restricted = finding.verdict === "restrict";
      await updateAccountRowRestricted(sql, workspaceId, id, {
        restricted,
        reason: finding.reason,
        now: new Date(now),
      });
      if (finding.numbers !== null)
        await importNumbers(sql, workspaceId, { accountId: id, providerAccountId, numbers: finding.numbers, now });
      return null;
    });
    app.notifier.hint("deliver", slotsOfMask(slotsMask));
  } catch (error) {
    // A new number of this account belongs to another workspace: it stays there, and this account stays as it is.
    if (!(error instanceof OwnedElsewhere)) throw error;
    app.log.warn({ workspace_id: workspaceId, business_account_id: id }, "a number is owned by another workspace");
  }
}

const sameToken = (a: SecretAccountRow, b: SecretAccountRow): boolean =>
  a.access_token !== null && b.access_token !== null && a.access_token.equals(b.access_token);
