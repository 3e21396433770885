import type { QueueRow } from "../kind.ts";
import { READY } from "../lane-kinds.ts";
import type { DeferredRow } from "./deferred-rows.ts";
import { addDeferred, FRESH, type Key, removeBackingOff } from "./key-state.ts";

/*
 * A due row does not wait in memory for one that is in the table. A lane keeps so many due rows and reads no more until some have gone: were
 * all of them such rows, the one that they wait for would never be read. It goes back, to the time of the row that it waits for:
 *
 *     backing off until t ──a later row falls due, or is here when the first one backs off──▶ deferred until t as well
 *            ──t comes──▶ read after the first one, because rows of equal `due` are read in the order of `seq`
 *
 * Only where the start of a row asks the table for an earlier one: a row that is written back late, after t, must not be overtaken meanwhile.
 */

/** True for a due row that may be written back. An attempt that is lost may not: its `due` is another matter. */
export const isReturnable = ({ due, state }: QueueRow): boolean => due > FRESH && state === READY;

/** Takes the due rows out of memory that wait for one that backs off, and with them all that come after them. */
export function takeReturned(key: Key): DeferredRow[] {
  if (key.backingOff.length === 0 || key.gathering !== null) return [];
  const first = key.waiting.findIndex((row) => isReturnable(row) && behindUntil(key, row) > row.due);
  if (first === -1) return [];
  const returned = key.waiting.splice(first).map((row) => ({ row, due: Math.max(row.due, behindUntil(key, row)) }));
  for (const { row, due } of returned) {
    removeBackingOff(key, row.seq);
    addDeferred(key, { from: row.seq, to: row.seq, until: due });
  }
  return returned;
}

// When the last row is due that it waits for; FRESH: none backs off.
function behindUntil({ backingOff }: Key, { seq }: QueueRow): number {
  let until = FRESH;
  for (const one of backingOff) if (one.seq < seq) until = Math.max(until, one.until);
  return until;
}
