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
