import { Type } from "typebox";
import { invalidAt } from "./problem.ts";
import { explained } from "./schema-types.ts";

/** What a refusal says of a value that is no time, to go on behind its pointer. */
export const HOW_WRITTEN =
  "must be a time with `T` and an offset, such as 2026-01-31T09:30:00Z or 2026-01-31T10:30:00+01:00, without spaces";
/** RFC 3339 with an offset; without one a time means something different on every machine. */
const PATTERN = explained("^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})$", {
  detail: HOW_WRITTEN,
  // There a `+` stands for a space, which is easily overlooked.
  inQuery: "; write the `+` of an offset as `%2B`",
});
/** Pattern of a day. */
export const DAY = explained("^\\d{4}-\\d{2}-\\d{2}$", { detail: "must be a day such as 2026-01-31" });
const RFC_3339 = new RegExp(PATTERN);

/** Schema of a time in a body or a query. Read it with `timeOf`. */
export const timestampInput = (description?: string) =>
  Type.String({
    format: "date-time",
    pattern: PATTERN,
    examples: ["2026-01-31T09:30:00Z"],
    ...(description ? { description } : {}),
  });

/** Schema of a time in an answer: UTC with milliseconds. */
export const timestampOutput = (description?: string) =>
  Type.String({ format: "date-time", ...(description ? { description } : {}) });

/** An offset can lead beyond the year 9999, which RFC 3339 and PostgreSQL's input cannot write as JavaScript does. */
const LAST_MS = Date.UTC(10_000, 0) - 1;

/** Milliseconds of a time; 400 at `pointer` when it is no valid time, or before 1970 or after 9999 in UTC. */
export function timeOf(text: string, pointer: string): number {
  const ms = RFC_3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  if (!(ms >= 0 && ms <= LAST_MS))
    throw invalidAt(pointer, "This is not a time such as 2026-01-31T09:30:00Z.", "format");
  return ms;
}
