import { isStatementElsewhere } from "./connect.ts";
import type { HotStatement } from "./hot-call.ts";
import type { LentConnection } from "./pools.ts";

/**
 * Runs the calls of hot functions as named statements, which are parsed and planned once a connection instead of each time.
 * From the first one on that meets a transaction pooler, which has no place for names, calls have none.
 */
export class NamedCalls {
  readonly #statements = new Map<string, HotStatement>();
  #named = true;

  /** `values`: as many in each call of a function. */
  async run<Answer extends object>(
    connection: LentConnection,
    installed: string,
    values: readonly string[],
  ): Promise<Answer[]> {
    const statement = this.#statementOf(installed, values.length);
    if (this.#named) {
      try {
        return await connection.call<Answer>(statement, values, true);
      } catch (error) {
        if (!isStatementElsewhere(error)) throw error;
        this.#named = false;
      }
    }
    return await connection.call<Answer>(statement, values, false);
  }

  #statementOf(installed: string, values: number): HotStatement {
    let statement = this.#statements.get(installed);
    if (!statement) {
      const parameters = Array.from({ length: values }, (_, index) => `$${index + 1}`).join(", ");
      statement = { name: installed, text: `select * from ${installed}(${parameters})`, rowOf: null };
      this.#statements.set(installed, statement);
    }
    return statement;
  }
}
