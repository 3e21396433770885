import type { QueueRow } from "../kind.ts";
import { READY } from "../lane-kinds.ts";
import { addDeferred, extendDeferred, FRESH, type Gathering, type Key } from "./key-state.ts";
import type { Unoffered } from "./unoffered.ts";

/** Longer than a write of deferred rows usually takes. Where it takes longer, the common `due` is moved. */
const LEAST_MS = 1_000;
const LONGEST_STEP_MS = 60_000;

/*
 * Keys that are joined may have many rows in the table, each with a `due` of its own key's plan: read back as these fall due,
 * the rows of both would not be in the order of `seq`, and memory is too small to sort them. So every row of the group from the
 * first deferred one on is written to the table once more, all with one `due`, and rows of equal `due` are read in the order of
 * `seq`:
 *
 *     joined ──begin──▶ rows come back at their old dues, and none of them starts: each gets the common one
 *            ──common due, and none is missing──▶ deferred, as any crowded key
 *                                └── some are missing ──▶ the common due is moved
 */

/** Begins where the key has rows in the table, or more than `most` wait here. */
export function beginGathering(key: Key, { everyMs, most }: { everyMs: number; most: number }, now: number): void {
  const first = key.deferred?.from ?? key.waiting[most]?.seq ?? key.passed[0];
  if (first === undefined) return;
  const from = Math.min(first, key.passed[0] ?? first);
  // Not before the rows that go first have had their time.
  const before = key.waiting.filter(({ seq }) => seq < from).length;
  const at = Math.ceil(Math.max(key.deferred?.until ?? FRESH, now + Math.max(LEAST_MS, before * everyMs)) + everyMs);
  key.gathering = { at, to: from, stepMs: LEAST_MS, allSeen: false };
  addDeferred(key, { from, to: from, until: at });
}

/** True when a fresh row of joined keys was put back that follows rows in the table: none such waits here. */
export function mustGather({ deferred, joined, gathering }: Key, put: readonly QueueRow[]): boolean {
  const follows = (row: QueueRow): boolean => deferred !== null && row.due === FRESH && row.seq > deferred.from;
  return joined !== null && gathering === null && put.some(follows);
}

/** Rows of the table got another `due` than the common one: it comes soon, and all of them pass by here once more. */
export function gatherSoon(key: Key, now: number): void {
  const { gathering } = key;
  if (!gathering) return;
  Object.assign(gathering, { stepMs: LEAST_MS, allSeen: false });
  moveOn(key, gathering, now);
}

/** Takes the rows out of memory that belong into the table with the common `due`. An attempt that is lost stays: its `due` is another matter. */
export function takeGathered(key: Key, now: number): QueueRow[] {
  const { gathering, deferred } = key;
  if (!gathering || !deferred) return [];
  const belongs = (row: QueueRow): boolean => row.seq >= deferred.from && row.state === READY;
  const rows = key.waiting.filter(belongs);
  if (rows.length === 0) return [];
  if (now >= gathering.at) moveOn(key, gathering, now);
  key.waiting = key.waiting.filter((row) => !belongs(row));
  gathering.to = Math.max(gathering.to, rows.at(-1)?.seq ?? FRESH);
  return rows;
}

/** The `due` with which an offered row goes back to the table; null: it does not, and ends the gathering where it is complete. */
export function gatheredDue(key: Key, row: QueueRow, now: number, unoffered: Unoffered): number | null {
  const { gathering, deferred } = key;
  if (!gathering || !deferred || row.state !== READY || row.seq < deferred.from) return null;
  // Once every row of the table has passed by here, new ones belong behind all of them: they must not be what is missing next time.
  if (gathering.allSeen && row.due === FRESH && row.seq > gathering.to) return null;
  const isBack = row.due >= gathering.at;
  if (isBack) {
    // All that was due before was read.
    gathering.allSeen ||=
      key.passed.length === 0 && !unoffered.due.some((other) => other.due < gathering.at && isOf(key, other));
    if (gathering.allSeen && isComplete(key, gathering, unoffered)) {
      key.gathering = null;
      return null;
    }
  }
  if (isBack || now >= gathering.at) moveOn(key, gathering, now);
  gathering.to = Math.max(gathering.to, row.seq);
  return gathering.at;
}

/** The `due` of a row for which there is no room although it is before all that are gathered; null: it is not. */
export function dueBeforeGathered(key: Key, row: QueueRow, now: number): number | null {
  const { gathering, deferred } = key;
  if (!gathering || !deferred || row.seq > deferred.from) return null;
  if (now >= gathering.at) moveOn(key, gathering, now);
  return gathering.at;
}

function isComplete(key: Key, { at, to }: Gathering, { fresh, due, deferred }: Unoffered): boolean {
  const isMissing = (row: QueueRow): boolean => row.seq <= to && isOf(key, row);
  return (
    key.advancing.length + key.passed.length === 0 &&
    fresh.readTo >= to &&
    !fresh.rows.some(isMissing) &&
    !deferred.rows().some(isMissing) &&
    !due.some((row) => row.due < at && isOf(key, row))
  );
}

const isOf = ({ joined }: Key, { key }: QueueRow): boolean => key !== null && (joined?.includes(key) ?? false);

function moveOn(key: Key, gathering: Gathering, now: number): void {
  gathering.at = Math.ceil(now + gathering.stepMs);
  gathering.stepMs = Math.min(LONGEST_STEP_MS, 2 * gathering.stepMs);
  extendDeferred(key, gathering.at);
}
