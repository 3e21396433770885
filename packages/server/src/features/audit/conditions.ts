import type { SqlValue } from "../../db/database.ts";

/** An id carries its row's time or, in a process whose clock stepped back, a time up to this much later (lib/ids.ts). */
export const ID_DRIFT_MS = 10_001;

/** The values of a statement, of which the workspace is the first. */
export class Conditions {
  readonly values: SqlValue[];

  constructor(workspaceId: string) {
    this.values = [workspaceId];
  }

  /** Where a value stands in the text. */
  place(value: SqlValue): string {
    return `$${this.values.push(value)}`;
  }
}
