import type { QueueRow } from "../kind.ts";
import type { DeferredRows } from "./deferred-rows.ts";

/** What the lane has read of its keys and not offered to their order, and what is on its way to the table. */
export type Unoffered = {
  /** `readTo`: every fresh row of the lane up to this `seq` has been read; Infinity: all. `rows`: in order of `seq`. */
  fresh: { readonly readTo: number; readonly rows: readonly QueueRow[] };
  due: readonly QueueRow[];
  deferred: Pick<DeferredRows, "rows">;
};

/** Which keys have rows that are due or on their way to the table, by the names of their groups; `once`: it is asked for one. */
export function unofferedKeys(
  due: readonly QueueRow[],
  deferred: DeferredRows,
  keys: { nameOf(key: string): string },
  once: boolean,
): (name: string) => boolean {
  const out = deferred.rows();
  if (due.length + out.length === 0) return () => false;
  const nameOf = ({ key }: QueueRow): string | null => (key === null ? null : keys.nameOf(key));
  if (once) return (name) => due.some((row) => nameOf(row) === name) || out.some((row) => nameOf(row) === name);
  let names: Set<string | null> | null = null;
  return (name) => {
    names ??= new Set([...due, ...out].map(nameOf));
    return names.has(name);
  };
}

/**
 * Takes the first row, or a due one before it of its key: a row whose time came just before a later one was written is read together with it.
 * There is a first row.
 */
export function takeFirst(rows: QueueRow[], due: QueueRow[], keys: { nameOf(key: string): string } | null): QueueRow {
  const first = rows[0] as QueueRow;
  const name = keys === null || first.key === null || due.length === 0 ? null : keys.nameOf(first.key);
  const isBefore = ({ seq, key }: QueueRow): boolean => seq < first.seq && key !== null && keys?.nameOf(key) === name;
  const index = name === null ? -1 : due.findIndex(isBefore);
  return (index === -1 ? rows.shift() : due.splice(index, 1)[0]) as QueueRow;
}
