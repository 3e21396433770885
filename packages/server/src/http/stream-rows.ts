import type { Ctx } from "../ctx.ts";
import type { Sql } from "../db/database.ts";
import { type Clock, pause } from "../lib/clock.ts";
import { passingFault } from "./passing-fault.ts";

/** The media types in which rows are streamed. */
export const ROW_TYPES = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;
export type RowFormat = keyof typeof ROW_TYPES;

/** Its values: objects and arrays are JSON in a cell of CSV, null and undefined an empty one. */
export type StreamedRow = Readonly<Record<string, unknown>>;

/** The whole range of a list, for callers that ask for its rows by `Accept`. `Input` is that of the verb. */
export type RowStream<Input> = {
  /** The columns of CSV, in their order: fields of a row. NDJSON has the whole row. */
  columns: readonly string[];
  /** The values of a row for CSV where they are not its fields; default: the row. */
  cells?(row: StreamedRow): StreamedRow;
  /**
   * The rows, page by page. Nothing is held between two pages, neither a transaction nor a connection: the reader may take its
   * time. What it throws ahead of the first page is the answer to the request. See `keysetPages`.
   */
  pages(ctx: Ctx, input: Input): AsyncIterable<readonly StreamedRow[]>;
};

/**
 * The format that an `Accept` asks for; `otherwise` without one and for anything (`*` with a slash and `text/*`); null: it names
 * none of them. The highest `q` decides, the first of equal ones.
 */
export function rowFormatOf(accept: string | undefined, otherwise: RowFormat | null): RowFormat | null {
  if (accept === undefined || accept.trim() === "") return otherwise;
  let best: { format: RowFormat | null; q: number } = { format: null, q: 0 };
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((one) => one.startsWith("q="))?.slice(2);
    const q = weight === undefined ? 1 : Number(weight) || 0;
    const format = FORMATS[type] ?? (ANYTHING.has(type) ? otherwise : null);
    const known = format !== null || type === "application/json";
    if (known && q > best.q) best = { format, q };
  }
  return best.format;
}

const FORMATS: Readonly<Record<string, RowFormat>> = {
  [ROW_TYPES.csv]: "csv",
  [ROW_TYPES.ndjson]: "ndjson",
  "application/ndjson": "ndjson",
};
const ANYTHING = new Set(["*/*", "text/*"]);

/** Rows of a page: some hundred KiB of text, read in some milliseconds. */
export const ROWS_A_PAGE = 500;
/** Failures in sequence after which a stream is cut. */
const MOST_FAILURES = 4;
const AGAIN_MS = 1_000;

/**
 * The pages of a keyset walk, each read in a transaction of its own that has ended before the page is given away. `read` returns
 * the rows after a place, which is null at the beginning, and the place behind them, null at the end. A page that fails for a
 * passing reason is read again.
 */
export async function* keysetPages<Row, Place>(
  { db, workspaceId, clock, signal }: Pick<Ctx, "db" | "workspaceId" | "clock" | "signal">,
  read: (sql: Sql, place: Place | null) => Promise<RowPage<Row, Place>>,
): AsyncGenerator<readonly Row[]> {
  let place: Place | null = null;
  do {
    const from: Place | null = place;
    const page: RowPage<Row, Place> = await again(clock, signal, () => db.read(workspaceId, (sql) => read(sql, from)));
    place = page.next;
    yield page.rows;
  } while (place !== null && !signal.aborted);
}

export type RowPage<Row, Place> = { rows: readonly Row[]; next: Place | null };

/** Runs `read`, and again a moment later when it fails for a passing reason. */
async function again<T>(clock: Clock, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await read();
    } catch (error) {
      if (passingFault(error) === null || failures === MOST_FAILURES || signal.aborted) throw error;
      await pause(clock, AGAIN_MS, signal);
    }
  }
}
