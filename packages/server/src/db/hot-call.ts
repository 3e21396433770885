import type { Duplex } from "node:stream";
import type pg from "pg";
import { types } from "./connect.ts";

/** The statement that calls a hot function. `rowOf` is null until the server has described the answers. */
export type HotStatement = { readonly name: string; readonly text: string; rowOf: RowReader | null };

/** Makes an answer of its columns, as the server writes them. */
type RowReader = (columns: readonly (string | null)[]) => object;

/**
 * One call of a hot function, in place of the driver's own query, which has the server describe the rows in each call, prepares
 * for whatever they may be and copies an object for each: 12 µs and 11 KiB for a call with one row, against 6 µs and 4 KiB.
 * A hot function's name has a hash of its text, so that one description holds for all calls on all connections.
 */
export class HotCall implements pg.Submittable {
  /** Read by the driver, which notes for each connection the names that it knows, with their texts. Empty: without a name. */
  readonly name: string;
  readonly text: string;
  readonly #statement: HotStatement;
  readonly #values: readonly string[];
  readonly #settle: Settle;
  readonly #answers: object[] = [];
  /** Called at the end: the driver puts its own in this place where the url has a `query_timeout`, to stop that clock. */
  callback: () => void = () => {};
  #fault: { error: unknown } | null = null;

  constructor(statement: HotStatement, values: readonly string[], named: boolean, settle: Settle) {
    this.name = named ? statement.name : "";
    this.text = statement.text;
    this.#statement = statement;
    this.#values = values;
    this.#settle = settle;
  }

  submit(connection: pg.Connection): void {
    const { name, text } = this;
    const wire = connection as unknown as Wire; // the driver's types know less of it
    wire.stream.cork(); // one packet
    try {
      if (name === "" || wire.parsedStatements[name] === undefined) wire.parse({ name, text });
      wire.bind({ statement: name, values: this.#values });
      if (this.#statement.rowOf === null) wire.describe({ type: "P" });
      wire.execute();
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#statement.rowOf = rowReader(fields);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#fault !== null) return;
    try {
      this.#answers.push((this.#statement.rowOf as RowReader)(fields)); // rows come behind their description
    } catch (error) {
      this.#fault = { error };
    }
  }

  handleCommandComplete(): void {}

  /** The end of the call, unless it failed at the server. */
  handleReadyForQuery(): void {
    this.callback();
    if (this.#fault === null) this.#settle.resolve(this.#answers);
    else this.#settle.reject(this.#fault.error);
  }

  handleError(error: unknown): void {
    this.callback();
    this.#settle.reject(this.#fault === null ? error : this.#fault.error);
  }
}

type Settle = { resolve(answers: object[]): void; reject(error: unknown): void };

/** What a call uses of the driver's connection. */
type Wire = {
  stream: Duplex;
  /** Texts by the names that this connection knows. */
  parsedStatements: Readonly<Record<string, string>>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: readonly string[] }): void;
  describe(what: { type: "P" }): void;
  execute(): void;
  sync(): void;
};

/**
 * Compiled, so that each function's answers are literals of one shape. Copied from a model or filled column by column by code that
 * all functions share, a row took eight times as long, and above 16 columns it became a dictionary for all who read it.
 */
function rowReader(fields: readonly pg.FieldDef[]): RowReader {
  const parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, "text"));
  const columns = fields.map(
    ({ name }, at) => `${JSON.stringify(name)}: columns[${at}] === null ? null : parsers[${at}](columns[${at}])`,
  );
  return new Function("parsers", `return (columns) => ({ ${columns.join(", ")} });`)(parsers) as RowReader;
}
