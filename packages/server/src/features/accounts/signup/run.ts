import type { App } from "../../../ctx.ts";
import type { AccountDeps } from "../parts.ts";
import { openOf } from "./secrets.ts";
import { type SecretSignupRow, updateSignupRowClaimedUntil } from "./signup.store.ts";
import { failed, type StepFailure } from "./step.ts";

/** How long a run has a signup for itself without a sign of life: two calls of the provider, 30 s each at the most. */
export const CLAIM_MS = 75_000;

/** One run of a signup. `row` is as last stored by it. */
export type Run = { app: App; deps: AccountDeps; workspaceId: string; row: SecretSignupRow; claim: string };

/** `stored`: the step has stored its result and the end of the signup itself. `overtaken`: another run has the signup. */
export type StepResult =
  | { kind: "done"; detail: string | null; change?: Partial<SecretSignupRow> }
  | { kind: "stored" }
  | { kind: "overtaken" }
  | StepFailure;

/** Before a step's next call: the claim goes on for as long as one may take. False: another run has the signup. */
export const renewClaim = ({ app, workspaceId, row, claim }: Run): Promise<boolean> =>
  app.db.transaction(workspaceId, (sql) =>
    updateSignupRowClaimedUntil(sql, workspaceId, row.id, { claim, until: new Date(app.clock.now() + CLAIM_MS) }),
  );

/** The customer's token; null when it does not open. */
export const tokenOf = ({ app, workspaceId, row }: Run): string | null =>
  openOf(app.secrets, { workspaceId, signupId: row.id }, "token", row.access_token);

/** Token and account, once the ownership is verified. */
export function accessOf(run: Run): { accessToken: string; providerAccountId: string } | null {
  const accessToken = tokenOf(run);
  const { provider_account_id: providerAccountId } = run.row;
  return accessToken === null || providerAccountId === null ? null : { accessToken, providerAccountId };
}

/** What to do when the code or its token is of no use any more. */
export const NEW_CODE = "Open the signup dialog again and resume with its new code.";

export const UNREADABLE_TOKEN = failed("secrets_unreadable", `The stored token cannot be opened. ${NEW_CODE}`);
