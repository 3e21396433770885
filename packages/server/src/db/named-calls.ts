import { isStatementElsewhere } from "./connect.ts";
import type { LentConnection } from "./pools.ts";

/**
 * Runs the calls of hot functions as named statements, which are parsed and planned once a connection instead of each time.
 * From the first one on that meets a transaction pooler, which has no place for names, calls have none.
 */
export class NamedCalls {
  #named = true;

  async run<Answer extends object>(
    connection: LentConnection,
    installed: string,
    values: readonly unknown[],
  ): Promise<Answer[]> {
    const text = `select * from ${installed}(${values.map((_, index) => `$${index + 1}`).join(", ")})`;
    if (this.#named) {
      try {
        return (await connection.query<Answer>(text, values, installed)).rows;
      } catch (error) {
        if (!isStatementElsewhere(error)) throw error;
        this.#named = false;
      }
    }
    return (await connection.query<Answer>(text, values)).rows;
  }
}
