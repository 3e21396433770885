import { LARGEST_ROW, LARGEST_ROW_BYTES, type Piece, type Place, piecesOf, type RawRow } from "./reading.ts";

const LF = 10;

/** The value of a line of NDJSON, or why there is none. */
export type JsonLine = { json: unknown } | { fault: string };

/** The lines of an NDJSON file from a place on, piece by piece. Empty lines are none; one that is too long or no JSON has a fault. */
export async function* readLines(bytes: AsyncIterable<Buffer>, from: Place): AsyncGenerator<Piece<JsonLine>> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let { offset, line } = from;
  const lineOf = (size: number, end: number): RawRow<JsonLine> | null => {
    const value = valueOf(Buffer.concat(rest), size);
    rest = [];
    restBytes = 0;
    offset += size + end;
    line += 1;
    return value && { value, line: line - 1, next: { offset, line } };
  };
  for await (const chunk of piecesOf(bytes)) {
    const rows: RawRow<JsonLine>[] = [];
    let start = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, start)) {
      if (restBytes <= LARGEST_ROW_BYTES) rest.push(chunk.subarray(start, at));
      const row = lineOf(restBytes + at - start, 1);
      if (row !== null) rows.push(row);
      start = at + 1;
    }
    // Of a line that is too long only the length is kept.
    if (restBytes <= LARGEST_ROW_BYTES) rest.push(Buffer.from(chunk.subarray(start)));
    restBytes += chunk.length - start;
    yield { rows, behind: { offset, line } };
  }
  if (restBytes === 0) return;
  const last = lineOf(restBytes, 0);
  if (last !== null) yield { rows: [last], behind: last.next };
}

function valueOf(bytes: Buffer, size: number): JsonLine | null {
  if (size > LARGEST_ROW_BYTES) return { fault: `The line is longer than ${LARGEST_ROW}.` };
  const text = bytes.toString("utf8").trim();
  if (text === "") return null;
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { fault: "The line is not valid JSON." };
  }
}
