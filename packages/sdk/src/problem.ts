import type { Problem } from "./api.gen.ts";

/** A body as problem+json, null when it is none. */
export function problemOf(body: unknown): Problem | null {
  if (typeof body !== "object" || body === null) return null;
  const { code, detail, status, retryable } = body as Partial<Record<keyof Problem, unknown>>; // each is looked at here
  const whole =
    typeof code === "string" &&
    typeof detail === "string" &&
    typeof status === "number" &&
    typeof retryable === "boolean";
  return whole ? (body as Problem) : null; // the fields that the SDK acts on are there
}
