import { createHash } from "node:crypto";
import type { CallbackChange } from "../../provider.ts";
import { asId, asRecord, asText } from "../json.ts";
import { type Origin, type PlacedOrigin, type Reading, taken } from "./change-reading.ts";
import { PeopleBeside, senderOf } from "./person.ts";
import { providerTime } from "./provider-time.ts";

/** Changes of who owns a conversation (Cloud API documentation, webhooks: handovers). */
export const HANDOVER_FIELD = "messaging_handovers";

type Item = Record<string, unknown>;
type Handover = Extract<CallbackChange, { kind: "handover" }>;

/** One handover is the value itself; of older apps a list of them is in it. */
export function readHandovers(field: string, value: Item, origin: PlacedOrigin): CallbackChange[] {
  const list = value[HANDOVER_FIELD];
  const items = Array.isArray(list) ? list.map(asRecord) : [value];
  const beside = new PeopleBeside(value["contacts"], [items]);
  return items.flatMap((item, index) => {
    const place = Array.isArray(list) ? { ...origin.part, list: HANDOVER_FIELD, item: index } : origin.part;
    const read = item === null ? { reason: "a handover is no object" } : readHandover(item, beside, origin);
    const reading: Reading = "kind" in read ? { ...read, place } : read;
    return taken(reading, origin, { field, value });
  });
}

function readHandover(item: Item, beside: PeopleBeside, origin: Origin): Handover | { reason: string } {
  const type = TYPES.find((name) => name === item["type"]) ?? TYPES.find((name) => asRecord(item[name]) !== null);
  if (type === undefined) return { reason: "unknown kind of handover" };
  const said = asRecord(item[type]) ?? item;
  const parties = [item["sender"], item["recipient"], said["sender"], said["recipient"]]
    .map(asRecord)
    .filter((party) => party !== null);
  const number =
    origin.providerPhoneNumberId ?? parties.map((party) => asId(party["phone_number_id"])).find((id) => id !== null);
  if (number === null || number === undefined) return { reason: `${HANDOVER_FIELD} without phone_number_id` };
  const person = parties
    .filter((party) => asId(party["phone_number_id"]) === null)
    .map((party) => personOf(party, beside));
  const named = person.find((one) => one !== null) ?? personOf(item, beside) ?? senderOf({}, beside);
  if (named === null) return { reason: "handover without person" };
  const at = providerTime(item["timestamp"]) ?? providerTime(said["timestamp"]) ?? origin.at;
  if (at === null) return { reason: "handover without readable time" };
  return {
    kind: "handover",
    providerPhoneNumberId: number,
    at,
    ...named,
    owner: ownerAfter(type, said),
    fromAgent: isAgent(said["previous_owner_role"] ?? said["previous_owner_app_role"]),
    mark: markOf(type, at, said),
    previous: null,
  };
}

const TYPES = ["control_passed", "control_taken", "control_released"] as const;

/** A person is called by a number or a user id, under one of several names. */
const personOf = (party: Item, beside: PeopleBeside): ReturnType<typeof senderOf> =>
  senderOf(
    {
      from: party["phone_number"] ?? party["wa_id"] ?? party["from"],
      from_user_id: party["user_id"] ?? party["from_user_id"],
      from_parent_user_id: party["parent_user_id"],
    },
    beside,
  );

/**
 * A conversation that is passed is reported to its new owner, and one that is taken to its former one. The provider's own agent is never
 * this app, whatever is reported of it.
 */
function ownerAfter(type: (typeof TYPES)[number], said: Item): Handover["owner"] {
  const role = said["new_owner_role"] ?? said["new_owner_app_role"];
  if (type === "control_released" || role === "none" || role === "idle") return "none";
  return type === "control_passed" && !isAgent(role) ? "self" : "other";
}

const isAgent = (role: unknown): boolean => /^(ai_agent|meta_ai|meta_business_agent)$/i.test(asText(role) ?? "");

/** What is said of the conversation, its words among it, leaves nothing here but this. */
const markOf = (...said: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(said)).digest("base64url").slice(0, 16);
