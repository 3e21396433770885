import type { Sql } from "../../db/database.ts";
import { selectLastDrawn } from "../queue.store.ts";

/** The last numbers that were drawn for rows of the queues. What is asked for in one turn of the event loop is one statement. */
export class LastDrawn {
  readonly #sql: Sql;
  /** Null while none is asked for. */
  #next: { tables: Set<string>; answer: Promise<Map<string, number>> } | null = null;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Of a queue table, committed or not; 0: none. */
  async of(table: string): Promise<number> {
    const tables = this.#next?.tables ?? new Set();
    this.#next ??= { tables, answer: this.#ask(tables) };
    tables.add(table);
    return (await this.#next.answer).get(table) ?? 0;
  }

  async #ask(tables: ReadonlySet<string>): Promise<Map<string, number>> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#next = null;
    return await selectLastDrawn(this.#sql, [...tables]);
  }
}
