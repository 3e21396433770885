import type { OperationId, Waypost, WaypostOperator } from "@waypost/sdk";

/** An option. Its name is the API's: `created_after` is given as `--created-after`. */
export type Option = {
  name: string;
  does: string;
  /** Default: a text. A list has commas between its parts, a flag no value. */
  kind?: "time" | "number" | "list" | "flag";
  choices?: readonly string[];
  isRequired?: true;
  /** Of the command line alone: the API has nothing of this name. */
  isOwn?: true;
};

/** What stands behind the name of a command; an id has a prefix. */
export type Argument = { name: string; does: string; prefix?: string; isOptional?: true };

/** Options as they were given, by their names. */
export type Given = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export type Call = {
  /** Empty where an optional one is not given. */
  argument: string;
  given: Given;
  isJson: boolean;
  /** Aborts with Ctrl-C, where `isEndless`. */
  signal: AbortSignal;
  workspace(): Promise<Waypost>;
  operator(): Promise<WaypostOperator>;
  /** The gateway and the key of `workspace`, for what the client does not do. */
  connection(): { baseUrl: string; key: string };
  /** On standard error. */
  notice(line: string): void;
  settle(code: number): void;
};

/** What a command prints; null: it has printed all itself. */
export type Outcome =
  | { rows: AsyncIterable<object> | Iterable<object>; columns: readonly string[]; most: number }
  | { one: object }
  | null;

export type Declared = {
  /** The last word of the command. */
  name: string;
  does: string;
  key: "workspace" | "operator" | "either" | "none";
  argument?: Argument;
  options?: readonly Option[];
  /** What stands behind `waypost`. */
  example: string;
  /** Whose parameters, or fields of the body, the options are. */
  operation?: OperationId;
  /** It runs until Ctrl-C. */
  isEndless?: true;
  run(call: Call): Promise<Outcome>;
};

/** Commands behind one word. */
export type Group = { name: string; does: string; commands: readonly Declared[]; groups?: readonly Group[] };

/** What a page of a list has at most; more are read page by page. */
const MOST_A_PAGE = 100;
const USUAL_LIMIT = 25;

const LIMIT: Option = {
  name: "limit",
  does: `how many at most, of any number; ${USUAL_LIMIT} by default`,
  kind: "number",
};

type ListOf = Omit<Declared, "run"> & {
  columns: readonly string[];
  /** The query is what was given of the options, which have the names of the API. */
  rows(call: Call, query: object): AsyncIterable<object>;
};

/** A command that prints a list, newest first, page by page. */
export function lists({ columns, rows, options = [], ...declared }: ListOf): Declared {
  return {
    ...declared,
    options: [...options, LIMIT],
    run(call) {
      const { limit, ...query } = call.given;
      const most = typeof limit === "number" ? limit : USUAL_LIMIT;
      const found = rows(call, { ...query, limit: Math.min(MOST_A_PAGE, most) });
      return Promise.resolve({ rows: found, columns, most });
    },
  };
}

/** A command that prints one resource. */
export function shows({ one, ...declared }: Omit<Declared, "run"> & { one(call: Call): Promise<object> }): Declared {
  return { ...declared, run: async (call) => ({ one: await one(call) }) };
}

export const ID = (prefix: string, of: string): Argument => ({ name: "id", does: `${prefix}…, of ${of}`, prefix });

export const text = (given: Given, name: string): string => String(given[name] ?? "");
