import type { App } from "../../../ctx.ts";
import type { NumberRegistration } from "../../../provider/signup-calls.ts";
import { heldElsewhere } from "../routing.store.ts";
import { OWNED_ELSEWHERE } from "../tasks/provider-import.ts";
import { wrongIdOf } from "../wrong-id.ts";
import { accountOf } from "./ownership.ts";
import { accessOf, type Run, renewClaim, type StepResult, tokenOf, UNREADABLE_TOKEN } from "./run.ts";
import { failed, ofProvider } from "./step.ts";

/**
 * Proves by the token alone that the account is the customer's, and the number one of the account's. Refuses what another workspace
 * holds, before anything is changed at the provider.
 */
export async function verifyOwnership(run: Run): Promise<StepResult> {
  const { app, workspaceId, row } = run;
  const providerAccountId = accountOf(row.granted, row.provider_account_id);
  if (typeof providerAccountId !== "string") return providerAccountId;
  const accessToken = tokenOf(run);
  if (accessToken === null) return UNREADABLE_TOKEN;
  const access = { accessToken, providerAccountId };
  const account = await app.provider.getAccount(access);
  if (!account.ok) {
    const wrongId = await wrongIdOf(app.provider, access, account.error);
    return ofProvider(account.error, wrongId === null ? OTHER_ACCOUNT : `${wrongId} ${OTHER_ACCOUNT}`);
  }
  if (account.value.providerAccountId !== providerAccountId)
    return failed("account_not_granted", `The provider answered with another account. ${OTHER_ACCOUNT}`);
  if (!(await renewClaim(run))) return { kind: "overtaken" };
  const numbers = await app.provider.listRegistrations(access);
  if (!numbers.ok) return ofProvider(numbers.error, OTHER_ACCOUNT);
  const missing = missingNumber(numbers.value, row.provider_phone_number_id);
  if (missing !== null) return failed("phone_number_not_found", missing);
  if (await isHeldElsewhere(app, workspaceId, providerAccountId, numbers.value))
    return failed("conflict", `${OWNED_ELSEWHERE} Then resume the signup.`);
  const many = numbers.value.length;
  return {
    kind: "done",
    detail: `Account ${providerAccountId} with ${many} phone number${many === 1 ? "" : "s"}.`,
    change: { provider_account_id: providerAccountId },
  };
}

const OTHER_ACCOUNT =
  "Resume with the provider_account_id of an account that the customer has granted, or with the code of a new dialog.";

function missingNumber(numbers: readonly NumberRegistration[], named: string | null): string | null {
  if (named === null || numbers.some((number) => number.providerPhoneNumberId === named)) return null;
  const known = numbers.map((number) => number.providerPhoneNumberId).join(", ");
  return `Phone number ${named} is not one of the account's. Resume with a provider_phone_number_id of the account${known === "" ? "" : ` (${known})`}, or with null for all of them.`;
}

async function isHeldElsewhere(
  app: App,
  workspaceId: string,
  providerAccountId: string,
  numbers: readonly NumberRegistration[],
): Promise<boolean> {
  const rows = [
    { workspace_id: workspaceId, kind: "account" as const, provider_id: providerAccountId },
    ...numbers.map(({ providerPhoneNumberId }) => ({
      workspace_id: workspaceId,
      kind: "number" as const,
      provider_id: providerPhoneNumberId,
    })),
  ];
  const answers = await app.db.call(heldElsewhere, rows, app.clock.now());
  return answers.some(({ held }) => held);
}

/** Our app gets the account's callbacks from now on. */
export async function subscribe(run: Run): Promise<StepResult> {
  const access = accessOf(run);
  if (access === null) return UNREADABLE_TOKEN;
  const answer = await run.app.provider.subscribe(access);
  return answer.ok
    ? { kind: "done", detail: null }
    : ofProvider(answer.error, "Resume the signup when that is settled.");
}
