import { isoTime } from "../../../lib/iso-time.ts";
import type { ProviderError } from "../../../provider/provider.ts";
import { reasonOf } from "../account-failures.ts";
import { isRefusal } from "../tasks/provider-import.ts";
import { NEW_CODE, type Run, type StepResult, tokenOf, UNREADABLE_TOKEN } from "./run.ts";
import { openOf, sealOf } from "./secrets.ts";
import { failed, ofProvider, type StepFailure } from "./step.ts";

/** Shorter than the claim of an exchange: the run that follows never has the same code at the provider at once. */
const EXCHANGE_WITHIN_MS = 10_000;
/** Cloud API documentation, embedded signup: the code was used before, or its seconds are over. */
const CODE_SPENT = 36_009;

/** The code of the dialog becomes the customer's token. */
export async function exchange({ app, workspaceId, row }: Run): Promise<StepResult> {
  const place = { workspaceId, signupId: row.id };
  const code = openOf(app.secrets, place, "code", row.code);
  if (code === null) return failed("secrets_unreadable", `The stored code cannot be opened. ${NEW_CODE}`);
  const late = new AbortController();
  const cancel = app.clock.after(EXCHANGE_WITHIN_MS, () => late.abort());
  const answer = await app.provider
    .exchangeCode({ code, redirectUri: row.redirect_uri, signal: late.signal })
    .finally(cancel);
  if (!answer.ok) return refusedCode(answer.error);
  const { accessToken, expiresInSeconds } = answer.value;
  const expiresAt = expiresInSeconds === null ? null : new Date(app.clock.now() + expiresInSeconds * 1_000);
  return {
    kind: "done",
    detail: null,
    change: {
      access_token: sealOf(app.secrets, place, "token", accessToken),
      token_expires_at: expiresAt,
      code: null,
    },
  };
}

function refusedCode(error: ProviderError): StepFailure {
  const { provider } = error;
  if (provider?.subcode === CODE_SPENT)
    return failed("code_expired", `The code has been used already or has expired. ${NEW_CODE}`, provider);
  if (!isRefusal(error)) return ofProvider(error, NEW_CODE);
  const check = "If it refuses every code, PROVIDER_APP_ID and PROVIDER_APP_SECRET must be checked.";
  return failed("code_rejected", `The provider refused the code: ${reasonOf(error)}. ${NEW_CODE} ${check}`, provider);
}

/** The token must be valid, of our app, and with both permissions; what it was granted for is kept for the next step. */
export async function inspectToken(run: Run): Promise<StepResult> {
  const accessToken = tokenOf(run);
  if (accessToken === null) return UNREADABLE_TOKEN;
  const answer = await run.app.provider.inspectToken({ accessToken });
  if (!answer.ok) {
    const { error } = answer;
    if (error.class === "token")
      return failed("token_invalid", `The token is no longer valid: ${reasonOf(error)}. ${NEW_CODE}`, error.provider);
    return ofProvider(error, NEW_CODE);
  }
  const { isOurs, missingScopes, accountIds, expiresAt } = answer.value;
  if (!isOurs)
    return failed("token_of_another_app", `The token belongs to another app than this gateway's. ${NEW_CODE}`);
  if (missingScopes.length > 0) {
    const missing = missingScopes.join(" and ");
    const both = "Both permissions must be granted in the dialog.";
    return failed("scope_missing", `The token was not granted ${missing}. ${both} ${NEW_CODE}`);
  }
  const ends = expiresAt === null ? run.row.token_expires_at : new Date(expiresAt);
  return {
    kind: "done",
    detail: ends === null ? "The token does not expire." : `The token expires at ${isoTime(ends.getTime())}.`,
    change: { granted: accountIds, token_expires_at: ends },
  };
}
