import { type CsvHead, headOf } from "./csv-head.ts";

/** Rows that are looked at before a file is sent. */
export const MOST_ROWS = 50;
/** Enough for the names of columns, and for so many rows of 5 KB. */
const BEGINNING_BYTES = 256 * 1024;

/**
 * What is seen of a file before it is sent. `head`: null for one without columns, such as NDJSON. `isText`: whether it is UTF-8 as far as it
 * was read; another is refused whole. `isAll`: the rows are all that the file has.
 */
export type Beginning = { head: CsvHead | null; isText: boolean; isAll: boolean };

export const isLines = ({ name }: File): boolean => /\.(?:ndjson|jsonl)$/i.test(name);

export async function beginningOf(file: File): Promise<Beginning> {
  const isWhole = file.size <= BEGINNING_BYTES;
  const text = textIn(await file.slice(0, BEGINNING_BYTES).arrayBuffer(), isWhole);
  if (text === null) return { head: null, isText: false, isAll: false };
  // One more than are seen says whether they are all.
  const head = isLines(file) ? null : headOf(text, isWhole, MOST_ROWS + 1);
  const isAll = isWhole && head !== null && head.rows.length <= MOST_ROWS;
  return { head: head && { ...head, rows: head.rows.slice(0, MOST_ROWS) }, isText: true, isAll };
}

/** Null for bytes that are no text; a last character may be cut off. */
function textIn(bytes: ArrayBuffer, isWhole: boolean): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
