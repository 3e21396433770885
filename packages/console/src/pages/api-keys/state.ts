import type { ApiKey } from "@waypost/sdk";

export type KeyState = "active" | "ending" | "expired" | "revoked";

/** How a key is at a time in milliseconds, and when it ends: one that was rotated goes on for a while. */
export function stateOf(
  {
    revoked_at: revoked,
    expires_at: expires,
    replaced_by: newer,
  }: Pick<ApiKey, "revoked_at" | "expires_at" | "replaced_by">,
  now: number,
): { state: KeyState; ends: string | null } {
  if (revoked !== null && Date.parse(revoked) <= now) return { state: "revoked", ends: revoked };
  if (expires !== null && Date.parse(expires) <= now) return { state: "expired", ends: expires };
  const ends = [revoked, expires].filter((at) => at !== null).toSorted()[0] ?? null;
  return { state: newer === null ? "active" : "ending", ends };
}

/** Nothing is done with it any more. */
export const hasEnded = (state: KeyState): boolean => state === "expired" || state === "revoked";
