import { growing } from "../lib/backoff.ts";
import type { Batcher } from "../lib/batch/batch.ts";
import { type Clock, pause } from "../lib/clock.ts";
import type { LaneClaim } from "./kind.ts";

/** Stores the outcomes of one kind of work and decides how long one is offered. One object serves all rows of the kind. */
export type OutcomeStore<Outcome, Answer> = {
  readonly clock: Clock;
  /** Each stores an outcome. Must be safe to repeat: one that failed may have committed. */
  readonly calls: Pick<Batcher<Outcome, Answer>, "submit">;
  /**
   * Called after each failed try: true to try again after a pause, false to give the outcome up. Throws what no repetition
   * can mend.
   */
  offersAgain(error: unknown, outcome: Outcome, claim: LaneClaim): boolean;
};

/** Pauses between two tries grow from 100 ms up to this. */
const LONGEST_PAUSE_MS = 2_000;

/**
 * Offers the outcome of a row's work until it is stored. The work has been done: repeating it would mean a second message,
 * request or task run, so only the storing is repeated. Meanwhile the row stays in flight, which bounds how many outcomes a
 * process holds. Resolves with null when the store gives up; the row is then still in its table, for the next owner.
 */
export async function storeOutcome<Outcome, Answer>(
  store: OutcomeStore<Outcome, Answer>,
  outcome: Outcome,
  claim: LaneClaim,
): Promise<Answer | null> {
  for (let round = 0; ; round++) {
    try {
      return await store.calls.submit(outcome);
    } catch (error) {
      if (!store.offersAgain(error, outcome, claim)) return null;
    }
    await pause(store.clock, growing(round, LONGEST_PAUSE_MS));
  }
}
