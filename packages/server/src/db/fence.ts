import type { Pool } from "pg";

/** A caller that lost a commit's answer waits this long for the truth; longer and its own client has gone. */
const ASK_WITHIN_MS = 8_000;
const BETWEEN_TRIES_MS = 200;

/**
 * What became of a call whose connection broke. Every writing call inserts its id into `flight` first. Inserting the same
 * id again waits while the call still runs; when it succeeds, the call can never commit; when it conflicts, it has.
 * Just looking for its effects is not enough: measured, a look-up found none and two seconds later the call committed.
 */
export async function askFate(pool: Pool, call: string): Promise<"committed" | "never" | "unknown"> {
  const deadline = performance.now() + ASK_WITHIN_MS;
  while (performance.now() < deadline) {
    try {
      const result = await pool.query("insert into flight (id) values ($1) on conflict do nothing", [call]);
      return result.rowCount === 1 ? "never" : "committed";
    } catch {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
  return "unknown";
}
