import { isRecord, textOf } from "../lib/shape.ts";
import { LOGGED_REQUESTS, type Simulation } from "../simulation/simulation.ts";
import type { SentEntry } from "../world/sent.ts";
import type { PhoneNumber } from "../world/world.ts";

/** The entry of a request that has just arrived, in the log; what becomes of it is written into it. */
export function openEntry(sim: Simulation, number: PhoneNumber, body: unknown, arrivedAt: number): SentEntry {
  const fields = isRecord(body) ? body : {};
  const template = fields["template"];
  const entry: SentEntry = {
    cursor: 0,
    at: arrivedAt,
    phone_number_id: number.id,
    to: textOf(fields["to"]) ?? textOf(fields["recipient"]) ?? null,
    wa_id: null,
    user_id: null,
    type: textOf(fields["type"]) ?? null,
    template: isRecord(template) ? (textOf(template["name"]) ?? null) : null,
    opaque: textOf(fields["biz_opaque_callback_data"]) ?? null,
    id: null,
    accepted: false,
    http_status: null,
    code: null,
    behaviour: null,
    status: null,
    pricing: null,
    delivered_at: null,
    request: body,
  };
  entry.cursor = sim.sent.add(entry);
  sim.counts.requests += 1;
  const old = sim.sent.fromEnd(LOGGED_REQUESTS);
  if (old !== undefined) old.request = null;
  return entry;
}
