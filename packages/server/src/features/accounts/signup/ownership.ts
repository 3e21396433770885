import { failed, type StepFailure } from "./step.ts";

/** Ids that a text lists at the most. */
const LISTED = 20;

/**
 * The account of a signup: which one it is, or why that is not certain. What the token was granted decides, never what the caller
 * says. `granted`: ids of the provider; null: the token holds for every account that it can read. `named`: by the caller.
 */
export function accountOf(granted: readonly string[] | null, named: string | null): string | StepFailure {
  if (granted === null) {
    const text =
      "The token holds for every account of the customer: resume with the one to connect as provider_account_id.";
    return named ?? failed("account_required", text);
  }
  if (named !== null)
    return granted.includes(named)
      ? named
      : failed(
          "account_not_granted",
          `The customer has not granted account ${named}. Resume with a provider_account_id that was granted${listOf(granted)}, or with the code of a new dialog.`,
        );
  const [only] = granted;
  if (only === undefined)
    return failed(
      "account_not_granted",
      "The customer has granted no account. Open the signup dialog again and resume with its new code.",
    );
  if (granted.length > 1)
    return failed(
      "account_required",
      `The customer has granted several accounts: resume with one of them as provider_account_id${listOf(granted)}.`,
    );
  return only;
}

const listOf = (ids: readonly string[]): string =>
  ids.length === 0 ? "" : ` (${ids.slice(0, LISTED).join(", ")}${ids.length > LISTED ? ", …" : ""})`;
