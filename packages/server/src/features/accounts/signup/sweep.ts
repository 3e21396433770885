import type { App } from "../../../ctx.ts";
import type { StepError } from "./step.ts";
import { SWEPT_A_CALL, sweepSignups } from "./sweep.store.ts";
import { SECRETS_KEPT_MS, SIGNUP_KEPT_MS } from "./times.ts";

/** Calls of one round: a backlog is gone after a few. */
const MOST_CALLS = 20;
/** A signup whose task has gone without ending it: nothing is lost by a wait of minutes. */
export const SWEEP_EVERY_MS = 5 * 60_000;

/** Public text. */
const GIVEN_UP: StepError = {
  code: "given_up",
  detail: "Its processing ended without a result: resume the signup.",
  retryable: false,
  provider: null,
};

/** Gives up, erases and deletes the signups for which it is time; several processes may do so at once. */
export async function sweepDue({ db, clock }: App): Promise<void> {
  const now = clock.now();
  const row = {
    error: GIVEN_UP,
    erase_at: new Date(now + SECRETS_KEPT_MS).toISOString(),
    delete_at: new Date(now + SIGNUP_KEPT_MS).toISOString(),
  };
  for (let call = 0; call < MOST_CALLS; call++) {
    const [answer] = await db.call(sweepSignups, [row], now);
    if ((answer?.swept ?? 0) < SWEPT_A_CALL) return;
  }
}
