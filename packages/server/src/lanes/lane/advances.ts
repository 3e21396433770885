import type { QueueRow } from "../kind.ts";
import type { DeferredRows } from "./deferred-rows.ts";
import { type Advance, FRESH, type Key } from "./key-state.ts";

/** A row that is read so long before the time that it waits for was given another one: more than clocks and rounding come to. */
const LEAST_MS = 1_000;

/*
 * A row that backs off for long may be asked for now, by another process, which makes the later rows of its key in the table due with it.
 * The owner learns of it when it reads the row. What it has deferred since then went behind the old time, and is moved by the owner:
 *
 *     backing off ──read with an earlier due──▶ advancing: later rows are deferred behind now, and none after the first one starts
 *            ──what was deferred before is written, then moved──▶ deferred, as any crowded key
 *
 * With equal dues the rows are read in the order of `seq`. One that was read already and would start before an earlier one is stopped by the
 * table, as after a change of owner.
 */

/** The row was offered. Returns what is to be moved, where it was given an earlier `due` and later rows may wait behind the old one. */
export function beginAdvance(key: Key, name: string, row: QueueRow): Advance | null {
  const { backingOff, deferred, gathering } = key;
  const known = backingOff.find(({ seq }) => seq === row.seq);
  if (!known || known.until - row.due < LEAST_MS) return null;
  known.until = row.due;
  if (deferred === null || deferred.until <= row.due) return null;
  const advance = {
    keys: key.joined ?? [name],
    first: row.seq,
    from: Math.min(row.seq, deferred.from),
    to: Math.max(deferred.to, gathering?.to ?? FRESH),
    since: row.due,
  };
  deferred.until = row.due;
  key.advancing.push(advance);
  return advance;
}

/** The rows were moved. False: none of this key's. */
export function endAdvance(key: Key, advance: Advance): boolean {
  const index = key.advancing.indexOf(advance);
  if (index !== -1) key.advancing.splice(index, 1);
  return index !== -1;
}

/** What is to be moved in the table of one lane's keys. */
export class Advances {
  readonly #all: Advance[] = [];

  add(...advances: readonly Advance[]): void {
    this.#all.push(...advances);
  }

  /** How many there are. */
  get waiting(): number {
    return this.#all.length;
  }

  /** Takes those that can be moved: every row between that was deferred before is written. The caller moves them, or adds them again. */
  take(deferred: Pick<DeferredRows, "rows">): Advance[] {
    const out = deferred.rows();
    const isUnwritten = ({ keys, from, to }: Advance): boolean =>
      out.some(({ seq, key }) => seq >= from && seq <= to && key !== null && keys.includes(key));
    const all = this.#all.splice(0);
    this.#all.push(...all.filter(isUnwritten));
    return all.filter((one) => !isUnwritten(one));
  }
}
