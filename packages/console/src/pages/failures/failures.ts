import type { LinkProps } from "@tanstack/react-router";
import type { MessageMetric, PhoneNumber } from "@waypost/sdk";
import { paths } from "../../paths.ts";
import { type Asked, rfc3339, spanOf } from "../home/range.ts";

/** An error of a range: how many messages ended with it, and how many in each interval. Null: without a code. */
export type Failure = { code: string | null; count: number; bars: number[] };

/** The errors of a range, the most frequent first. */
export function failuresOf(
  rows: readonly MessageMetric[],
  { begin, stepMs, steps }: Record<"begin" | "stepMs" | "steps", number>,
): Failure[] {
  const found = new Map<string | null, Failure>();
  for (const { at, error_code: code = null, count } of rows) {
    const step = Math.floor((Date.parse(at) - begin) / stepMs);
    if (step < 0 || step >= steps || count === 0) continue;
    const failure = found.get(code) ?? { code, count: 0, bars: Array.from({ length: steps }, () => 0) };
    failure.count += count;
    failure.bars[step] = (failure.bars[step] ?? 0) + count;
    found.set(code, failure);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

/** What `failuresQuery` is asked for: a range, of one number or of all. */
export const failuresAsked = (asked: Asked, number: PhoneNumber | undefined) => ({
  ...spanOf(asked),
  ...(number && { phone_number_id: number.id }),
});

/** The messages that a failure counts. */
export const messagesOf = (
  { code }: Pick<Failure, "code">,
  { begin, ended }: Asked,
  number: PhoneNumber | undefined,
): LinkProps =>
  paths.messages({
    created_after: rfc3339(begin),
    ...(ended && { created_before: ended }),
    ...(number && { from: number.phone }),
    ...(code === null ? { status: "failed" } : { error_code: code }),
  });
