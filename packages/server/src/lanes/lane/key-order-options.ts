import type { Advances } from "./advances.ts";
import type { KeyPace } from "./key-state.ts";
import type { PassedRows } from "./passed-rows.ts";
import type { Unoffered } from "./unoffered.ts";

/** How far the lane's due rows have been read. */
export type DueProgress = {
  /** Every row due until then was read; -Infinity: none has been read. */
  readTo: number;
  /** True for a key, by the name of its group, with due rows that were read and not offered yet, or not written yet. */
  unoffered(name: string): boolean;
};

export type KeyOrderOptions = {
  pace: KeyPace | null;
  /** When this process became the owner. */
  since: number;
  /** False: rows cannot be written back to the table, so all of them wait here. */
  defers: boolean;
  unoffered: Unoffered;
  /** What is to be moved in the table is left there; null: rows of the table get no earlier `due` by others. */
  advances: Advances | null;
  /** Due rows that are too many are let go there; null: they wait here. */
  passed?: PassedRows | null;
};
