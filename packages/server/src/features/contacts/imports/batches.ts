import { type Batch, Unfinishable } from "../../tasks/long-task.ts";
import type { Turn } from "../../tasks/turn.ts";
import type { Piece, Place } from "./reading.ts";
import type { Entry } from "./results.ts";
import type { ReadRow } from "./row.ts";

/** Of the file in one step, but for its last row: as many rows of the largest size as of usual size would be hundreds of megabytes. */
const MOST_STEP_BYTES = 1024 * 1024;
/** Reading that is due a rest of its own. Between two steps of rows there is less of it; empty lines have no steps. */
const READING_MS = 40;

/** The rows of a file from a place on, as many as a step takes, and each contact at most once in it. */
export async function* batchesOf(
  pieces: AsyncIterable<Piece<ReadRow>>,
  from: Place,
  turn: Turn,
): AsyncGenerator<Batch<Entry>> {
  let place = from;
  let entries: Entry[] = [];
  // `behind`: where the last of them ends, or what is known to be empty behind it.
  const take = function* (rows: number, behind?: Place): Generator<Batch<Entry>> {
    const parts = apart(entries.splice(0, rows));
    for (const [at, items] of parts.entries()) {
      place = (at === parts.length - 1 ? behind : undefined) ?? items.at(-1)?.next ?? place;
      yield { items, behind: place };
    }
  };
  const isFull = (): boolean =>
    entries.length >= turn.rows || (entries.at(-1)?.next.offset ?? 0) - place.offset >= MOST_STEP_BYTES;
  let readSince = performance.now();
  try {
    for await (const { rows, behind } of pieces) {
      entries = entries.concat(rows);
      while (isFull()) {
        yield* take(turn.rows);
        readSince = performance.now();
      }
      const readMs = performance.now() - readSince;
      if (readMs < READING_MS) continue;
      await turn.rest(readMs);
      // The place may be far behind the last row: empty lines are not read again.
      if (turn.isOver) yield* take(entries.length, behind);
      readSince = performance.now();
    }
  } catch (error) {
    if (!(error instanceof Unfinishable)) throw error;
    while (entries.length > 0) yield* take(turn.rows); // the rows above the fault are written all the same
    throw error;
  }
  while (entries.length > 0) yield* take(turn.rows);
}

/** Cut where a row is about a contact, by its id, that an earlier one is about too; one part at least. */
function apart(entries: readonly Entry[]): (readonly Entry[])[] {
  const parts: (readonly Entry[])[] = [];
  const seen = new Set<string>();
  let from = 0;
  for (const [at, { value }] of entries.entries()) {
    if (!("write" in value)) continue;
    if (seen.has(value.write.contact_id)) {
      parts.push(entries.slice(from, at));
      from = at;
      seen.clear();
    }
    seen.add(value.write.contact_id);
  }
  return [...parts, entries.slice(from)];
}
