import { addBackingOff, addDeferred, type Key } from "./key-state.ts";

/** A key that the table held until `until` and that needs no hold any more. */
export type EndedHold = { key: string; until: number };

/** A hold that a former owner left in the table: the `seq` of the row that backs off, and of the first deferred row. */
export type HeldKey = { key: string; until: number; backingOff: number | null; deferredFrom: number | null };

/** Adds what a hold says. True when it names rows in the table before all that were known. */
export function addHold(key: Key, { until, backingOff, deferredFrom }: HeldKey): boolean {
  key.heldUntil = Math.max(key.heldUntil, until);
  if (backingOff !== null) addBackingOff(key, backingOff, until);
  if (deferredFrom === null) return false;
  const isFirst = key.deferred === null || deferredFrom < key.deferred.from;
  addDeferred(key, { from: deferredFrom, to: deferredFrom, until });
  return isFirst;
}
