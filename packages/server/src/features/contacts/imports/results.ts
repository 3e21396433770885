import type { WriteOutcome } from "../write.store.ts";
import { refusalOf } from "../write.ts";
import type { ErrorRow } from "./import.store.ts";
import type { RawRow } from "./reading.ts";
import type { ReadRow } from "./row.ts";
import type { Counts } from "./step.store.ts";

/** A row of the file, read: where it lies, and what it asks for. */
export type Entry = RawRow<ReadRow>;

/** What became of the rows of a step: `outcomes` are of those that were written, in their order; `columnOf` names a field as the file does. */
export function resultsOf(
  entries: readonly Entry[],
  outcomes: readonly WriteOutcome[],
  { rowsBefore, columnOf }: { rowsBefore: number; columnOf(field: string): string },
): { counts: Counts; errors: ErrorRow[] } {
  const counts: Counts = { rows: entries.length, created: 0, updated: 0, failed: 0 };
  const errors: ErrorRow[] = [];
  const answers = outcomes.values();
  for (const [index, { value, line }] of entries.entries()) {
    const fail = (error: Omit<ErrorRow, "row" | "line">): void => {
      counts.failed += 1;
      errors.push({ ...error, line, row: rowsBefore + index + 1 });
    };
    if ("error" in value) {
      fail(value.error);
      continue;
    }
    const outcome = answers.next().value ?? "not_found";
    const refusal = refusalOf(outcome);
    if (refusal !== null) fail({ column: columnOf(outcome), code: "too_many", detail: refusal.message });
    else if (outcome === "not_found") fail({ column: columnOf("id"), ...NO_CONTACT });
    else if (outcome === "created" || outcome === "updated") counts[outcome] += 1;
  }
  return { counts, errors };
}

const NO_CONTACT = { code: "not_found", detail: "There is no contact with this id." };
