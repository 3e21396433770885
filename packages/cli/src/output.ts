/** The option of every command that calls a gateway. */
export const BASE_URL = [
  "--base-url <url>",
  "the gateway's address; else WAYPOST_BASE_URL, else that of `npm start`",
] as const;

export const JSON_OPTION = ["--json", "print JSON as the API has it; of a list one object a line"] as const;
/** Of commands that call no API. */
export const jsonOption = (does: string): readonly [string, string] => ["--json", does];

/** A resource as the API returns it. */
export const printJson = (resource: object): void => console.log(jsonText(resource, 2));
/** One object a line, so that a list can be read while it is written. */
export const printJsonLine = (resource: object): void => console.log(jsonText(resource));

// What people write may hold sequences that a terminal obeys, or that show it in another order. JSON writes those below a blank otherwise
// itself.
const jsonText = (value: object, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });

const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;
const GAP = "  ";
/** Of a cell that is not the last of its row. */
const WIDEST = 60;
/** Widths follow the first rows, so that the others can be written as they arrive. */
const MEASURED_ROWS = 100;

/** A table with a line of names, written as its rows arrive. A column is a field, or a path such as `error.code`. */
export class Table {
  readonly #columns: readonly string[];
  #waiting: string[][] = [];
  #widths: number[] | null = null;
  #count = 0;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  add(row: object): void {
    this.#count += 1;
    const cells = this.#columns.map((path) => cellText(valueAt(row, path)));
    if (this.#widths !== null) return this.#print(cells, this.#widths);
    this.#waiting.push(cells);
    if (this.#waiting.length === MEASURED_ROWS) this.#begin();
  }

  end(): void {
    if (this.#count === 0) return console.log("none");
    if (this.#widths === null) this.#begin();
  }

  #begin(): void {
    const names = this.#columns.map((path) => printable(path.toUpperCase().replaceAll(/[._]/g, " ")));
    const rows = [names, ...this.#waiting];
    const widths = names.map((_, at) => Math.min(WIDEST, Math.max(...rows.map((cells) => lengthOf(cells[at] ?? "")))));
    this.#widths = widths;
    this.#waiting = [];
    for (const cells of rows) this.#print(cells, widths);
  }

  #print(cells: readonly string[], widths: readonly number[]): void {
    const last = cells.length - 1;
    const padded = cells.map((cell, at) =>
      at === last ? cell : cell + " ".repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(cell))),
    );
    console.log(padded.join(GAP).trimEnd());
  }
}

/** Of an object that stands in one line; `--json` has all of it. */
const LONGEST_OBJECT = 160;

/** A field a line; lists of objects follow as tables. */
export function printRecord(resource: object): void {
  const fields = Object.entries(resource).filter(([, value]) => !isTable(value));
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  for (const [name, value] of fields) console.log(`${printable(name).padEnd(width)}${GAP}${fieldText(value)}`);
  for (const [name, rows] of Object.entries(resource)) {
    if (!isTable(rows)) continue;
    console.log(`\n${printable(name)}:`);
    const table = new Table(Object.keys(rows[0] ?? {}));
    for (const row of rows) table.add(row);
    table.end();
  }
}

function fieldText(value: unknown): string {
  const text = cellText(value);
  const isLong = typeof value === "object" && !Array.isArray(value) && text.length > LONGEST_OBJECT;
  return isLong ? `${Array.from(text).slice(0, LONGEST_OBJECT).join("")}… (--json prints all)` : text;
}

const isTable = (value: unknown): value is object[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "object" && one !== null);

function valueAt(row: object, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined; // an object has fields
  }, row);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  const isList = Array.isArray(value) && value.every((one) => typeof one !== "object");
  const scalar = value as string | number | boolean; // where it is no object, as JSON has it
  const text = isList ? value.join(", ") || "-" : typeof value === "object" ? JSON.stringify(value) : String(scalar);
  return printable(text);
}

/** What a terminal would obey, and line ends, are blanks. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, " ");

const lengthOf = (text: string): number => Array.from(text).length;
