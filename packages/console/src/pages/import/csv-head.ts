/** The beginning of a CSV file as the gateway reads it: the names of its columns, and some rows. */
export type CsvHead = { columns: CsvColumn[]; rows: CsvRow[] };
/** `index`: its place, from 0. */
export type CsvColumn = { name: string; index: number };
/** `line`: that of the file on which the row begins, from 1. */
export type CsvRow = { cells: string[]; line: number };

const DELIMITERS = [",", ";", "\t", "|"];
/** What spreadsheets write as the first line of a file: which sign separates its cells. */
const SEPARATOR_LINE = /^(?:[ \t]*(?:\r\n|\r|\n))*"?sep=([^\r\n])"?[^\r\n]*(?:\r\n|\r|\n)/i;

/**
 * Reads what a beginning of a file has, up to `most` rows, without a last row that may be cut off; null where there is no line of names.
 * Columns without a name behind the last named one are left out as long as no row has something in them.
 */
export function headOf(beginning: string, isWhole: boolean, most = Number.POSITIVE_INFINITY): CsvHead | null {
  let text = beginning.replace(/^\uFEFF/, "");
  const [stated = "", said] = SEPARATOR_LINE.exec(text) ?? [];
  text = text.slice(stated.length);
  const [names, ...rows] = rowsIn(text, said ?? delimiterOf(text), isWhole, most + 1);
  if (names === undefined) return null;
  const linesAbove = stated === "" ? 0 : stated.split(/\r\n|\r|\n/).length - 1;
  const named = names.cells.map(nameOf);
  const isMeant = (index: number): boolean => named[index] !== "" || rows.some(({ cells }) => isFilled(cells[index]));
  const width = named.findLastIndex((_, index) => isMeant(index)) + 1;
  return {
    columns: named.slice(0, width).map((name, index) => ({ name, index })),
    rows: rows.map(({ cells, line }) => ({ cells, line: line + linesAbove })),
  };
}

export const isFilled = (cell: string | undefined): boolean => cell !== undefined && cell.trim() !== "";

/** A name as it is compared: spreadsheets leave spaces, quotes behind a space, and marks that cannot be seen. */
const nameOf = (name: string): string =>
  name
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();

/** What the first line has most of, outside of quotes. */
function delimiterOf(text: string): string {
  const line = /^(?:[^"\r\n]|"(?:[^"]|"")*"?)*/.exec(text.replace(/^[\r\n]+/, ""))?.[0] ?? "";
  const plain = line.replaceAll(/"(?:[^"]|"")*"/g, "");
  const counts = DELIMITERS.map((one) => plain.split(one).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** Rows with nothing in them are none. */
function rowsIn(text: string, delimiter: string, isWhole: boolean, most: number): CsvRow[] {
  const rows: CsvRow[] = [];
  let row: CsvRow = { cells: [], line: 1 };
  let cell = "";
  let line = 1;
  let isQuoted = false;
  const endRow = (): void => {
    row.cells.push(cell);
    if (row.cells.some(isFilled)) rows.push(row);
    line += 1;
    row = { cells: [], line };
    cell = "";
  };
  for (let at = 0; at < text.length && rows.length < most; at++) {
    const letter = text[at];
    const next = text[at + 1];
    if (isQuoted) {
      if (letter !== '"') {
        cell += letter;
        if (letter === "\n") line += 1;
      } else if (next === '"') cell += text[++at];
      else {
        isQuoted = false;
        // A quote within a cell that began with one: both are of its text.
        if (next !== undefined && next !== delimiter && !/[\r\n]/.test(next)) cell = `"${cell}"`;
      }
    } else if (letter === '"' && cell === "") isQuoted = true;
    else if (letter === delimiter) {
      row.cells.push(cell);
      cell = "";
    } else if (letter === "\n" || letter === "\r") {
      if (letter === "\r" && next === "\n") at += 1;
      endRow();
    } else cell += letter;
  }
  if (isWhole && rows.length < most && (cell !== "" || row.cells.length > 0)) endRow();
  return rows;
}
