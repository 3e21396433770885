import type { ProviderError } from "../../../provider/provider.ts";
import { reasonOf } from "../account-failures.ts";
import { isRefusal } from "../tasks/provider-import.ts";

/** What a signup does, in this order; each step's result is stored before the next one begins. */
export const STEPS = ["exchange", "inspect_token", "verify_ownership", "subscribe", "register", "import"] as const;
export type StepName = (typeof STEPS)[number];

/** Why a step has failed: the codes are part of the public contract. */
export const STEP_CODES = [
  "code_expired",
  "code_rejected",
  "token_invalid",
  "token_of_another_app",
  "scope_missing",
  "account_not_granted",
  "account_required",
  "phone_number_not_found",
  "phone_number_not_verified",
  "pin_wrong",
  "conflict",
  "provider_rejected",
  "provider_unavailable",
  "secrets_unreadable",
  "given_up",
] as const;
export type StepCode = (typeof STEP_CODES)[number];

/** As stored and returned. `detail` is public text with what to do; `retryable`: it is tried again without a call. */
export type StepError = { code: StepCode; detail: string; retryable: boolean; provider: ProviderError["provider"] };

/** A step that is done. `detail` is public text; `completed_at` RFC 3339. */
export type DoneStep = { name: StepName; detail: string | null; completed_at: string };

export type StepFailure =
  | { kind: "failed"; error: StepError }
  /** `afterMs`: not before; without it after a growing pause. */
  | { kind: "retry"; error: StepError; afterMs?: number };

export const failed = (code: StepCode, detail: string, provider: ProviderError["provider"] = null): StepFailure => ({
  kind: "failed",
  error: { code, detail, retryable: false, provider },
});

/** A refusal is final and ends the signup at this step; silence, 5xx and limits are waited out. */
export function ofProvider(error: ProviderError, remedy: string): StepFailure {
  const { provider } = error;
  const said = reasonOf(error);
  if (isRefusal(error)) return failed("provider_rejected", `The provider refused: ${said}. ${remedy}`, provider);
  const detail = `The provider gave no answer that counts: ${said}. It is tried again.`;
  const { retryAfterMs: afterMs } = error;
  return {
    kind: "retry",
    error: { code: "provider_unavailable", detail, retryable: true, provider },
    ...(afterMs === undefined ? {} : { afterMs }),
  };
}
