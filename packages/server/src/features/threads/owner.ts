import { DAY_MS } from "../../lib/duration.ts";
import { isoTime } from "../../lib/iso-time.ts";

/** The provider ends a conversation's ownership when the person has written nothing for so long. */
export const IDLE_MS = DAY_MS;

/** Who answers a conversation: the workspace, another responder of the number, or neither. `since`: null where it is not known. */
export type Owner = { role: "self" | "other" | "none"; since: string | null };

/** What is stored of it. */
export type OwnerRow = {
  owner_role: Owner["role"] | null;
  owner_since: Date | null;
  last_inbound_at: Date | null;
};

/** The owner at `now` (milliseconds). */
export function ownerOf(
  { owner_role: role, owner_since: since, last_inbound_at: heard }: OwnerRow,
  now: number,
): Owner {
  if (role === null || since === null) return { role: "none", since: null };
  const idleFrom = Math.max(since.getTime(), heard?.getTime() ?? 0) + IDLE_MS;
  if (role !== "none" && idleFrom <= now) return { role: "none", since: isoTime(idleFrom) };
  return { role, since: isoTime(since.getTime()) };
}
