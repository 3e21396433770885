import type { PartPlace } from "../../part-place.ts";
import type { CallbackChange } from "../../provider.ts";

/** Where a change came from, as far as known, and when it was reported (milliseconds). */
export type Origin = { providerPhoneNumberId: string | null; providerAccountId: string | null; at: number | null };
/** With its place in the callback. */
export type PlacedOrigin = Origin & { part: PartPlace };

/** A change, or why it could not be read; `beside`: what it means all the same. */
export type Reading = CallbackChange | { reason: string; beside?: CallbackChange };

/** The change that was read; one that could not be is kept whole, as `value`. Null: it says nothing that is kept beside the raw callback. */
export function taken(reading: Reading | null, origin: Origin, value: unknown): CallbackChange[] {
  if (reading === null) return [];
  if ("kind" in reading) return [reading];
  const setAside = unrecognized(reading.reason, origin, value);
  return reading.beside === undefined ? [setAside] : [reading.beside, setAside];
}

export const unrecognized = (
  reason: string,
  { providerPhoneNumberId, providerAccountId }: Origin,
  value: unknown,
): CallbackChange => ({ kind: "unrecognized", reason, providerPhoneNumberId, providerAccountId, value });
