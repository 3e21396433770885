import type { App } from "../../../ctx.ts";
import { newUuid } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { taskBackoff } from "../../tasks/lane.ts";
import type { AccountDeps } from "../parts.ts";
import { importAccount } from "./import-step.ts";
import { subscribe, verifyOwnership } from "./ownership-steps.ts";
import { register } from "./register-step.ts";
import { CLAIM_MS, NEW_CODE, type Run, type StepResult } from "./run.ts";
import {
  type SecretSignupRow,
  selectSecretSignupRow,
  updateSignupRow,
  updateSignupRowClaimed,
} from "./signup.store.ts";
import { STEPS, type StepError, type StepFailure, type StepName } from "./step.ts";
import { SECRETS_KEPT_MS, SIGNUP_KEPT_MS } from "./times.ts";
import { exchange, inspectToken } from "./token-steps.ts";

/** The code lives for 30 s: when its process was killed, another one must have some of them left. */
const EXCHANGE_CLAIM_MS = 12_000;
/** A code is surely dead after this, several times its life: the provider need not say so any more. */
const CODE_TRIED_MS = 2 * 60_000;

/** `later`: there is something to do at `at` (milliseconds), or earlier if the run that holds it now ends before. */
export type RunEnd = { kind: "ended" } | { kind: "later"; at: number; isHeld: boolean; exchanged: boolean };

const RUN: Readonly<Record<StepName, (run: Run) => Promise<StepResult>>> = {
  exchange,
  inspect_token: inspectToken,
  verify_ownership: verifyOwnership,
  subscribe,
  register,
  import: importAccount,
};

/**
 * Takes a signup as far as it goes now. At most one run works on a signup at a time: it claims the row, and stores each step's
 * result before it begins the next. A run that was killed is followed by another once its claim has lapsed, and one that was
 * overtaken stores nothing. `isStopping` is asked between two steps.
 */
export async function runSignup(
  app: App,
  deps: AccountDeps,
  { workspaceId, id, isStopping }: { workspaceId: string; id: string; isStopping: () => boolean },
): Promise<RunEnd> {
  const claim = newUuid(app.clock.now());
  const row = await claimSignup(app, workspaceId, id, claim);
  if (row === null) return await whenDue(app, workspaceId, id);
  const run: Run = { app, deps, workspaceId, row, claim };
  for (;;) {
    const name = STEPS[run.row.done.length];
    if (name === undefined || isStopping()) break;
    const result = await RUN[name](run);
    if (result.kind === "stored") return { kind: "ended" };
    if (result.kind === "overtaken") return await whenDue(app, workspaceId, id);
    const isOn = await store(run, name, result);
    if (result.kind !== "done" || !isOn) return await whenDue(app, workspaceId, id);
  }
  await write(run, { ...run.row, claim: null, claimed_until: null });
  return await whenDue(app, workspaceId, id);
}

async function claimSignup(app: App, workspaceId: string, id: string, claim: string): Promise<SecretSignupRow | null> {
  const now = app.clock.now();
  const times = { exchangeUntil: new Date(now + EXCHANGE_CLAIM_MS), until: new Date(now + CLAIM_MS) };
  return await app.db.transaction(workspaceId, (sql) =>
    updateSignupRowClaimed(sql, workspaceId, id, { claim, ...times, now: new Date(now) }),
  );
}

async function whenDue(app: App, workspaceId: string, id: string): Promise<RunEnd> {
  const row = await app.db.read(workspaceId, (sql) => selectSecretSignupRow(sql, workspaceId, id));
  if (!row || row.status === "completed" || row.status === "failed") return { kind: "ended" };
  const heldUntil = row.claim === null ? 0 : (row.claimed_until?.getTime() ?? 0);
  const at = Math.max(row.next_try_at.getTime(), heldUntil);
  return { kind: "later", at, isHeld: heldUntil > app.clock.now(), exchanged: row.done.length > 0 };
}

/** False: another run has the signup by now. */
async function store(run: Run, name: StepName, result: Exclude<StepResult, { kind: "stored" | "overtaken" }>) {
  const now = run.app.clock.now();
  const { row } = run;
  if (result.kind !== "done") return await write(run, failedRow(run, name, result, now));
  const done = [...row.done, { name, detail: result.detail, completed_at: isoTime(now) }];
  const claimed_until = new Date(now + CLAIM_MS);
  return await write(run, { ...row, ...result.change, done, error: null, tries: 0, claimed_until });
}

function failedRow({ app, row }: Run, name: StepName, failure: StepFailure, now: number): SecretSignupRow {
  const at =
    failure.kind === "retry" ? now + (failure.afterMs ?? taskBackoff(row.tries, app.random)) : Number.POSITIVE_INFINITY;
  const ended = { ...row, claim: null, claimed_until: null };
  const isCodeDead = name === "exchange" && now - row.code_at.getTime() > CODE_TRIED_MS;
  if (!isCodeDead && at <= row.deadline_at.getTime())
    return { ...ended, error: failure.error, tries: row.tries + 1, next_try_at: new Date(at) };
  // Whatever the provider has said to it, the code does not work a second time.
  const code = name === "exchange" ? null : row.code;
  const hasSecrets = code !== null || row.access_token !== null || row.pin !== null;
  return {
    ...ended,
    status: "failed",
    error: failure.kind === "failed" ? failure.error : givenUp(failure.error, isCodeDead),
    code,
    sweep_at: new Date(now + (hasSecrets ? SECRETS_KEPT_MS : SIGNUP_KEPT_MS)),
  };
}

const givenUp = (last: StepError, isCodeDead: boolean): StepError => ({
  ...last,
  retryable: false,
  ...(isCodeDead
    ? { code: "code_expired", detail: `The provider did not take the code while it was valid. ${NEW_CODE}` }
    : { detail: `${last.detail.replace(/ It is tried again\.$/, "")} It was tried for a day: resume the signup.` }),
});

async function write(run: Run, row: SecretSignupRow): Promise<boolean> {
  const { app, workspaceId, claim } = run;
  const now = new Date(app.clock.now());
  const stored = await app.db.transaction(workspaceId, (sql) =>
    updateSignupRow(sql, workspaceId, { held: claim, row, now }),
  );
  if (stored) run.row = row;
  return stored;
}
