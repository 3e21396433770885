import type { Deadline, Pools } from "./pools.ts";

const BETWEEN_TRIES_MS = 200;
/** A call that still runs is waited for in turns of this length, after which the server says so: then it is not silent. */
const TURN = "700ms";
/** One try: the connection that it is asked on may be silent too. */
const TRY_MS = 1_200;

// The setting is read when the wait begins, so this row brings its own.
const ASK = `insert into flight (id, asked) select $1::uuid, set_config('lock_timeout', '${TURN}', true) <> ''
  on conflict (id) do update set asked = flight.asked returning asked`;

export type Fate = "committed" | "never" | "unknown";

/**
 * What became of a call whose connection broke. Every writing call inserts its id into `flight` first. Inserting the same
 * id again waits while the call still runs; when it succeeds, the call can never commit; when it conflicts, it has.
 * Just looking for its effects is not enough: measured, a look-up found none and two seconds later the call committed.
 *
 * The row tells who wrote it, because the answer to this question may be lost too, and the next try then meets the row of
 * the first. A call leaves `asked` false by inserting its id alone, as those of every version do.
 */
export async function askFate(pools: Pools, call: string, by: Deadline): Promise<Fate> {
  while (performance.now() < by()) {
    const tried = performance.now();
    try {
      const connection = await pools.lend(pools.control, () => Math.min(tried + TRY_MS, by()));
      try {
        const { rows } = await connection.query<{ asked: boolean }>(ASK, [call]);
        return rows[0]?.asked ? "never" : "committed";
      } finally {
        connection.release();
      }
    } catch {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
  return "unknown";
}
