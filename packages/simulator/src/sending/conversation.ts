import { createHash } from "node:crypto";
import type { Simulation } from "../simulation/simulation.ts";
import type { Pricing } from "../world/charge.ts";
import type { AcceptedMessage } from "../world/sent.ts";
import type { StatusName } from "../world/settings.ts";

const DAY_MS = 24 * 3_600_000;
/** The last version whose statuses always name their conversation; later ones do inside a free entry point only. */
const LAST_VERSION = 23;

/** The `conversation` of a status, or null when the version that the app subscribed with has none. */
export function conversationOf(
  sim: Simulation,
  { number, identity, charge }: AcceptedMessage,
  pricing: Pricing,
  status: StatusName,
): Record<string, unknown> | null {
  if (sim.settings.callbackVersion > LAST_VERSION && pricing.type !== "free_entry_point") return null;
  const now = sim.clock.nowMs();
  // That of an entry point is one as long as it is free, others are of a day.
  const until = charge.freeUntil ?? (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  const key = `${number.id} ${identity.userId} ${pricing.category} ${until}`;
  return {
    id: createHash("md5").update(key).digest("hex"),
    ...(status === "sent"
      ? { expiration_timestamp: String(Math.floor((charge.freeUntil ?? now + DAY_MS) / 1000)) }
      : {}),
    origin: { type: pricing.category },
  };
}
