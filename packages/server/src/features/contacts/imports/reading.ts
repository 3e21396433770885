/** A row of a file: a thousand cells of usual size. More is a file that is not what it says. */
export const LARGEST_ROW_BYTES = 64 * 1024;

/** Where a row begins: bytes before it, and its line, from 1. */
export type Place = { offset: number; line: number };

/** What was read of a row: its line, and the place behind it. */
export type RawRow<T> = { value: T; line: number; next: Place };
