import type { QueueRow } from "../kind.ts";
import { dueBeforeGathered } from "./gathering.ts";
import { addDeferred, FRESH, type Key, tableUntil } from "./key-state.ts";
import type { Unoffered } from "./unoffered.ts";

/** Rows of one key kept in memory; one recipient's flood must not fill the number's read-ahead. */
export const WAITING_A_KEY = 50;

/** True when no other row of its key keeps this one from starting: none before it is in flight, in the table or unread. */
export function isNext(
  key: Key,
  row: QueueRow,
  { unoffered, defers }: { unoffered: Unoffered; defers: boolean },
): boolean {
  if (key.inFlight > 0 || key.orphans !== null) return false;
  if (key.backingOff.length > 0 && key.backingOff.some(({ seq }) => row.seq > seq)) return false;
  if (key.passed.length > 0 && row.seq > (key.passed[0] as number)) return false;
  if (key.advancing.length > 0 && key.advancing.some(({ first }) => row.seq > first)) return false;
  const isHeld = row.due > FRESH && key.heldUntil > FRESH;
  if (row.due === FRESH && key.deferred !== null && row.seq > key.deferred.from) return false;
  if (isHeld && row.seq > unoffered.fresh.readTo) return false; // fresh rows before it are unread
  // Where rows cannot be deferred, nothing more is offered while the memory is full, and waiting for it would not end.
  return !((isHeld || key.joined !== null) && defers && isBehindFresh(key, row, unoffered));
}

// Fresh and due rows are offered in turn: of a former owner's rows, and of keys that were joined, a later one may come first.
function isBehindFresh({ joined }: Key, row: QueueRow, { fresh }: Unoffered): boolean {
  for (const other of fresh.rows) {
    if (other.seq >= row.seq) return false;
    if (other.key === row.key || (joined !== null && other.key !== null && joined.includes(other.key))) return true;
  }
  return false;
}

/**
 * True when a row that may not start now waits here; false: in the table. A due row stays: deferred again it would fall behind its
 * successors. A fresh row behind deferred ones is deferred too, after them. A row that committed late stays, because its place
 * is before the waiting ones. `isCrowded`: the lane keeps as many rows as it may.
 */
export function waitsHere(key: Key, row: QueueRow, isCrowded: boolean): boolean {
  if (row.due > FRESH) return true;
  if (key.deferred !== null && row.seq > key.deferred.from) return false;
  // Before the deferred rows there are those that a former owner had room for, and retries of others among them.
  const most = key.deferred === null ? WAITING_A_KEY : 2 * WAITING_A_KEY;
  return (key.waiting.length < most && !isCrowded) || row.seq < (key.waiting.at(-1)?.seq ?? 0);
}

/** Notes that the row goes back to the table and returns its `due`. Dues grow with `seq`, so the rows are read back in their order. */
export function deferBehind(key: Key, row: QueueRow, now: number, everyMs: number): number {
  const behind = Math.ceil(Math.max(tableUntil(key), now + WAITING_A_KEY * everyMs) + everyMs);
  const due = dueBeforeGathered(key, row, now) ?? behind;
  addDeferred(key, { from: row.seq, to: row.seq, until: due });
  return due;
}
