import { setImmediate as turn } from "node:timers/promises";
import {
  MOST_ATTRIBUTE_CHARACTERS,
  MOST_ATTRIBUTE_NAME_CHARACTERS,
  MOST_ATTRIBUTES,
  MOST_TAG_CHARACTERS,
  MOST_TAGS,
} from "../../identity/contact-limits.ts";

/** A character at its longest: `\u0001` in JSON. */
const CHARACTER_BYTES = 6;
/** Around a name or a value: quotes, which CSV doubles, a colon and a comma. */
const PUNCTUATION_BYTES = 16;
/** All other fields, and the windows with a thousand phone numbers and more. */
const OTHER_FIELDS_BYTES = 256 * 1024;

/** A row of a file: the largest contact that an export can have, so that an import takes it back. More is a file that is not what it says. */
export const LARGEST_ROW_BYTES =
  MOST_ATTRIBUTES * (MOST_ATTRIBUTE_NAME_CHARACTERS + MOST_ATTRIBUTE_CHARACTERS * CHARACTER_BYTES + PUNCTUATION_BYTES) +
  MOST_TAGS * (MOST_TAG_CHARACTERS * CHARACTER_BYTES + PUNCTUATION_BYTES) +
  OTHER_FIELDS_BYTES;

/** Bytes at the beginning that are looked at before a file is taken: the names of columns are in them. */
export const HEAD_BYTES = 64 * 1024;

/** The limit as errors say it. */
export const LARGEST_ROW = `${Math.floor(LARGEST_ROW_BYTES / 1_024)} KiB`;

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
