import { setTimeout as pause } from "node:timers/promises";
import type { Deadline, Pools } from "./pools.ts";

const BETWEEN_TRIES_MS = 200;
/** The wait for a call that still runs is cut to this length, after which the server reports it: so a long wait is no silence. */
const WAIT = "700ms";
/** One try: the connection that it uses may be silent too. */
const TRY_MS = 1_200;

// The setting is read when the wait begins, so this row sets its own.
const RESOLVE = `insert into flight (id, asked) select $1::uuid, set_config('lock_timeout', '${WAIT}', true) <> ''
  on conflict (id) do update set asked = flight.asked returning asked`;

/** `never`: the call cannot commit any more. */
export type CommitOutcome = "committed" | "never" | "unknown";

/**
 * Finds out whether a call committed whose connection broke. Every writing call first inserts its id into `flight`. Inserting
 * the same id again waits while the call still runs; when the insert succeeds, the call can never commit; when it conflicts,
 * the call has committed. Looking for the call's effects is not enough: measured, a look-up found none and two seconds later
 * the call committed.
 *
 * The row says who wrote it, because the answer to this question may be lost too, and the next try then finds the row of the
 * first one. A call leaves `asked` false by inserting its id alone, as calls of every version do.
 */
export async function resolveCommit(pools: Pools, call: string, by: Deadline): Promise<CommitOutcome> {
  while (performance.now() < by()) {
    const triedAt = performance.now();
    try {
      const connection = await pools.lend("control", () => Math.min(triedAt + TRY_MS, by()));
      try {
        const { rows } = await connection.query<{ asked: boolean }>(RESOLVE, [call]);
        return rows[0]?.asked ? "never" : "committed";
      } finally {
        connection.release();
      }
    } catch {
      await pause(BETWEEN_TRIES_MS);
    }
  }
  return "unknown";
}
