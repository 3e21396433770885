import { setImmediate as turn } from "node:timers/promises";

/** A row of a file: a thousand cells of usual size. More is a file that is not what it says. */
export const LARGEST_ROW_BYTES = 64 * 1024;

/** Where a row begins: bytes before it, and its line, from 1. */
export type Place = { offset: number; line: number };

/** What was read of a row: its line, and the place behind it. */
export type RawRow<T> = { value: T; line: number; next: Place };

/** The rows that end in a piece of a file, none perhaps, and the place behind them and the empty lines that follow. */
export type Piece<T> = { rows: RawRow<T>[]; behind: Place };

/** Bytes read at once: of the shortest lines there are thousands in them, some milliseconds of time. */
const PIECE_BYTES = 8 * 1024;

/** The bytes in pieces, with a turn for other work of the process behind each. */
export async function* piecesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
      await turn();
    }
}
