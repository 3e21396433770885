import type { CallbackChange } from "../../provider.ts";
import { asRecord } from "../json.ts";
import { type Origin, type Reading, taken, unrecognized } from "./change-reading.ts";
import { readEcho, readInbound } from "./message.ts";
import { PeopleBeside } from "./person.ts";
import { readStatus } from "./status.ts";

/** Copies of what happens in conversations that another responder of the number owns (Cloud API documentation, webhooks: standby). */
export const STANDBY_FIELD = "standby";

type Item = Record<string, unknown>;
type OfNumber = Origin & { providerPhoneNumberId: string; beside: PeopleBeside };

type ReadItem = (item: Item, of: OfNumber) => Reading | null;

const READ: ReadonlyMap<string, ReadItem> = new Map<string, ReadItem>([
  ["messages", (item, of) => readInbound(item, of.beside, of.providerPhoneNumberId)],
  ["message_echoes", (item, of) => readEcho(unwrapped(item), of.beside, of.providerPhoneNumberId)],
  ["statuses", (item, of) => readStatus(item, of.beside, of.providerPhoneNumberId)],
]);

/** What may be beside the lists, in the value or in its `standby`. */
const BESIDE: ReadonlySet<string> = new Set([
  "messaging_product",
  "metadata",
  "contacts",
  "standby",
  "conversation_context",
]);

/**
 * Reads copies by their lists: messages of people, what the owner of the conversation wrote, and its statuses. Of older apps `standby` is
 * itself the list of the messages. A status that is not understood is of no message of ours, and is left out.
 */
export function readStandby(field: string, value: Item, origin: Origin): CallbackChange[] {
  const { providerPhoneNumberId } = origin;
  if (providerPhoneNumberId === null)
    return [unrecognized(`${field} without phone_number_id`, origin, { field, value })];
  const standby = value["standby"];
  const inside = Array.isArray(standby) ? { messages: standby } : asRecord(standby);
  if (inside === null && (standby ?? null) !== null)
    return [unrecognized("standby is no object", origin, { field, value })];
  const contacts = [value["contacts"], inside?.["contacts"]].flatMap((list) => (Array.isArray(list) ? list : []));
  const beside = new PeopleBeside(contacts, Object.values(inside ?? {}));
  const of: OfNumber = { ...origin, providerPhoneNumberId, beside };
  const parts = [...Object.entries(inside ?? {}), ...Object.entries(value)].filter(([name]) => !BESIDE.has(name));
  if (inside === null && parts.length === 0) return [unrecognized("standby without content", origin, { field, value })];
  return parts.flatMap(([name, list]) => readPart(name, list, of));
}

function readPart(name: string, list: unknown, of: OfNumber): CallbackChange[] {
  if (list === null) return [];
  const aside = (reason: string, part: unknown): CallbackChange =>
    unrecognized(reason, of, { field: STANDBY_FIELD, value: { standby: { [name]: part } } });
  const read = READ.get(name);
  if (read === undefined) return [aside("unknown part of standby", list)];
  if (!Array.isArray(list)) return name === "statuses" ? [] : [aside(`${name} of standby is no list`, list)];
  return list.flatMap((item: unknown) => {
    const record = asRecord(item);
    const reading = record === null ? { reason: `an item of ${name} is no object` } : read(record, of);
    if (reading === null || (name === "statuses" && (!("kind" in reading) || reading.kind !== "status"))) return [];
    const whole = { field: STANDBY_FIELD, value: { standby: { [name]: [item] } } };
    return taken(reading, of, whole).map(asCopy);
  });
}

const asCopy = (change: CallbackChange): CallbackChange =>
  change.kind === "message" || change.kind === "status" ? { ...change, isCopy: true } : change;

/** Of an echo that holds the send as it was requested, as `message`: the shape of the other echoes. */
export function unwrapped(echo: Item): Item {
  const message = asRecord(echo["message"]);
  if (message === null) return echo;
  const { message: _message, template: definition, flow, ...own } = echo;
  const { recipient, context, ...sent } = message;
  const quoted = asRecord(context);
  return {
    ...sent,
    ...(quoted === null ? {} : { context: { id: quoted["message_id"], ...quoted } }),
    ...(recipient === undefined ? {} : { to_user_id: recipient }),
    ...(sent["recipient_type"] === "group" ? { group_id: sent["to"] } : {}),
    // Beside the send, under the name that its content may have in it.
    ...(definition === undefined ? {} : { template_definition: definition }),
    ...(flow === undefined ? {} : { flow_definition: flow }),
    ...own,
  };
}
