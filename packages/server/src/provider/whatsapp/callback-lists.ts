import type { CallbackChange } from "../provider.ts";
import { readUserAction } from "./callback-action.ts";
import { partsOf, partsOfChunk } from "./callback-history.ts";
import { readEcho, readInbound } from "./callback-message.ts";
import { noticeOf } from "./callback-notice.ts";
import { contactOf } from "./callback-person.ts";
import { readPreference, readUserIdUpdate } from "./callback-preference.ts";
import { type Origin, type Reading, taken, unrecognized } from "./callback-reading.ts";
import { readStatus } from "./callback-status.ts";
import { asRecord, asText } from "./json.ts";
import { providerTime } from "./provider-time.ts";

/** Fields whose value names a number and has lists of what happened there (Cloud API documentation, webhooks: envelope). */
export const LIST_FIELDS: readonly string[] = [
  "messages",
  "message_echoes",
  "smb_message_echoes",
  "history",
  "calls",
  "smb_app_state_sync",
  "user_preferences",
  "user_id_update",
];

/** The number that a list is about: its origin, with what stands beside the list. */
type OfNumber = Origin & { providerPhoneNumberId: string; contacts: readonly unknown[]; summary: unknown };

type Item = Record<string, unknown>;
type ReadItem = (item: Item, of: OfNumber) => Reading;

/** An item that is only reported, with the person that it is about, under this event. */
const reported =
  (event: string, name: string): ReadItem =>
  (item, of) => {
    const contact = contactOf(item, of.contacts) ?? contactOf({ from: item["to"] }, of.contacts);
    const value = { ...(contact === null ? {} : { contacts: [contact] }), [name]: [item] };
    return noticeOf(event, value, { ...originOf(of), at: providerTime(item["timestamp"]) ?? of.at });
  };

/** A setting that says nothing of consent, such as a sign-up, is reported as it is. */
const readPreferenceOrReport: ReadItem = (item, of) =>
  readPreference(item, of.contacts, of.providerPhoneNumberId) ??
  reported("user_preferences", "user_preferences")(item, of);

const ITEMS: ReadonlyMap<string, ReadItem> = new Map<string, ReadItem>([
  ["statuses", (item, of) => readStatus(item, of.contacts, of.providerPhoneNumberId)],
  ["messages", (item, of) => summarized(readInbound(item, of.contacts, of.providerPhoneNumberId), of.summary)],
  ["message_echoes", (item, of) => readEcho(item, of.contacts, of.providerPhoneNumberId)],
  ["user_preferences", readPreferenceOrReport],
  ["user_id_update", (item, of) => readUserIdUpdate(item, of.providerPhoneNumberId)],
  ["user_actions", (item, of) => readUserAction(item, originOf(of))],
  ["calls", reported("calls", "calls")],
  ["errors", reported("errors", "errors")],
]);

/** By field and name: lists that mean something else there. Statuses of calls ring; messages of a history are past, of both sides. */
const ITEMS_OF_FIELD: ReadonlyMap<string, ReadItem> = new Map([
  ["calls.statuses", reported("calls", "statuses")],
  ["history.messages", reported("history", "messages")],
]);

/**
 * Reads a value by its lists, whatever its field: what is not understood beside them is set aside, and never blocks them.
 */
export function readLists(field: string, value: Record<string, unknown>, origin: Origin): CallbackChange[] {
  const { providerPhoneNumberId, providerAccountId, at } = origin;
  if (providerPhoneNumberId === null)
    return [unrecognized(`${field} without phone_number_id`, origin, { field, value })];
  const contacts = Array.isArray(value["contacts"]) ? value["contacts"] : [];
  const of = { providerPhoneNumberId, providerAccountId, at, contacts, summary: summaryOf(value) };
  const names = Object.keys(value).filter((name) => !isBeside(name, value[name]));
  if (names.length === 0) return [unrecognized(`${field} without content`, origin, { field, value })];
  return names.flatMap((name) => readList(field, name, value[name], of));
}

/** What is beside the lists of a value and belongs to all of them. */
const isBeside = (name: string, value: unknown): boolean =>
  name === "messaging_product" ||
  name === "metadata" ||
  name === SUMMARY ||
  (name === "contacts" && Array.isArray(value));

/** The provider's summary of a conversation that has passed to us (Cloud API documentation, conversation routing). */
const SUMMARY = "conversation_context";

/** The summary, where one person has written all messages beside it: it tells of that person, and of others it must not be kept. */
function summaryOf(value: Record<string, unknown>): unknown {
  const { [SUMMARY]: summary, messages } = value;
  if (summary === undefined || !Array.isArray(messages)) return null;
  const senders = messages.map((message) => {
    const { from, from_user_id, group_id } = asRecord(message) ?? {};
    return JSON.stringify([asText(from), asText(from_user_id), asText(group_id)]);
  });
  return new Set(senders).size === 1 ? summary : null;
}

/** A message with the summary that came with it: words about its person, which are theirs as those of the message are. */
const summarized = (reading: Reading, summary: unknown): Reading =>
  summary === null || !("kind" in reading) || reading.kind !== "message"
    ? reading
    : { ...reading, fields: { ...reading.fields, [SUMMARY]: summary } };

function readList(field: string, name: string, list: unknown, of: OfNumber): CallbackChange[] {
  const aside = (reason: string, part: unknown): CallbackChange =>
    unrecognized(reason, of, { field, value: { [name]: part } });
  const read = ITEMS_OF_FIELD.get(`${field}.${name}`) ?? ITEMS.get(name);
  if (read === undefined && name !== "history" && name !== "state_sync")
    return [aside(`unknown part of ${field}`, list)];
  if (!Array.isArray(list)) return [aside(`${name} is no list`, list)];
  // Contacts of the owner's own phone, many at a time and of use only together.
  if (name === "state_sync")
    return partsOf(list).map((part) => noticeOf("smb_app_state_sync", { state_sync: part }, originOf(of)));
  return list.flatMap((item: unknown) => {
    const record = asRecord(item);
    if (record === null) return [aside(`an item of ${name} is no object`, [item])];
    if (read !== undefined) return taken(read(record, of), of, { field, value: { [name]: [item] } });
    return partsOfChunk(record).map((part) => noticeOf("history", { history: [part] }, originOf(of)));
  });
}

const originOf = ({ providerAccountId, providerPhoneNumberId, at }: OfNumber): Origin => ({
  providerAccountId,
  providerPhoneNumberId,
  at,
});
