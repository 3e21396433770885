import { appendTo } from "../../../lib/append-to.ts";
import type { ReportedNotice } from "../../callback-parts.ts";
import type { PartPlace } from "../../part-place.ts";
import type { CallbackChange, PastMessage } from "../../provider.ts";
import type { PhoneBookEntry } from "../../reported.ts";
import { asRecord, asText } from "../json.ts";
import { readUserAction } from "./action.ts";
import { readCall, readCallStatus } from "./call.ts";
import { type Origin, type PlacedOrigin, type Reading, taken, unrecognized } from "./change-reading.ts";
import { type InThread, messagesOfChunk, readPast } from "./history.ts";
import { readEcho, readInbound } from "./message.ts";
import { type NoticeChange, noticeOf } from "./notice.ts";
import { detailOfNotice } from "./notice-detail.ts";
import { PeopleBeside } from "./person.ts";
import { readEntry } from "./phone-book.ts";
import { readPreference, readProfile, readUserIdUpdate } from "./preference.ts";
import { providerTime } from "./provider-time.ts";
import { readStatus } from "./status.ts";

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
  "consumer_profile",
];

/** The number that a list is about: its origin and its own digits, with what stands beside the list. */
type OfNumber = PlacedOrigin & {
  providerPhoneNumberId: string;
  displayNumber: string | null;
  beside: PeopleBeside;
  summary: unknown;
  errorsAlone: ReportedNotice | null;
};

type Item = Record<string, unknown>;
/** `index`: of the item in its list. */
type ReadItem = (item: Item, of: OfNumber, index: number) => Reading | null;

/** An item that is only reported, under this event: nothing of it that may be of a person is passed on. */
const reported =
  (event: string, name: string) =>
  (item: Item, of: OfNumber): NoticeChange =>
    noticeOf(event, { [name]: [item] }, { ...originOf(of), at: providerTime(item["timestamp"]) ?? of.at });

/** An error of the number. Beside items of people's it goes out with these. */
const readError: ReadItem = (item, of) => {
  const notice = reported("errors", "errors")(item, of);
  return of.errorsAlone === null ? notice : { ...notice, reported: of.errorsAlone };
};

/** The change, where it says nothing but errors. */
function errorsAloneIn(value: Item, part: PartPlace): ReportedNotice | null {
  const { messaging_product, metadata, errors, ...others } = value;
  if (errors === undefined || Object.keys(others).some((name) => ITEMS.has(name) || name === "contacts")) return null;
  return { part, value: { messaging_product, metadata, ...detailOfNotice("errors", { errors }) } };
}

/** A setting that says nothing of consent is reported without its person. */
const readPreferenceOrReport: ReadItem = (item, of, index) => {
  const list = "user_preferences";
  const reading = readPreference(item, of.beside, of.providerPhoneNumberId);
  if (reading === null) return reported(list, list)(item, of);
  return "kind" in reading ? { ...reading, place: { ...of.part, list, item: index } } : reading;
};

const ITEMS: ReadonlyMap<string, ReadItem> = new Map<string, ReadItem>([
  ["statuses", (item, of) => readStatus(item, of.beside, of.providerPhoneNumberId)],
  ["messages", (item, of) => summarized(readInbound(item, of.beside, of.providerPhoneNumberId), of.summary)],
  ["message_echoes", (item, of) => readEcho(item, of.beside, of.providerPhoneNumberId)],
  ["user_preferences", readPreferenceOrReport],
  ["user_id_update", (item, of) => readUserIdUpdate(item, of.providerPhoneNumberId)],
  ["user_actions", (item, of) => readUserAction(item, originOf(of))],
  ["calls", readCall],
  ["errors", readError],
]);

/** By field and name: lists that mean something else there. Statuses of calls ring. */
const ITEMS_OF_FIELD: ReadonlyMap<string, ReadItem> = new Map<string, ReadItem>([["calls.statuses", readCallStatus]]);

type ReadWhole = (list: readonly unknown[], of: OfNumber, field: string) => CallbackChange[];
/** By name, or by field and name: lists that are read as a whole, because they are long, or of use only together. */
const WHOLE: ReadonlyMap<string, ReadWhole> = new Map<string, ReadWhole>([
  ["history", (chunks, of, field) => readHistory(chunks, of, field)],
  // Files of messages whose place was held.
  [
    "history.messages",
    (messages, of) =>
      readPastMessages(
        messages.map((message) => ({ message, thread: null })),
        of,
      ),
  ],
  ["state_sync", (entries, of, field) => readPhoneBook(entries, of, field)],
  ["consumer_profile.contacts", (contacts, of) => readProfiles(contacts, of)],
]);
/** How the list of a name is read: as a whole, or item by item. */
type Reader = { whole: ReadWhole } | { item: ReadItem };

function readersOf(field: string): ReadonlyMap<string, Reader> {
  const readers = new Map<string, Reader>();
  for (const [name, item] of ITEMS) readers.set(name, { item });
  for (const [name, item] of ITEMS_OF_FIELD) setOfField(readers, field, name, { item });
  for (const [name, whole] of WHOLE) setOfField(readers, field, name, { whole });
  return readers;
}

function setOfField(readers: Map<string, Reader>, field: string, name: string, reader: Reader): void {
  const [of, list] = name.split(".");
  if (list === undefined) readers.set(name, reader);
  else if (of === field) readers.set(list, reader);
}

const READERS = new Map(LIST_FIELDS.map((field) => [field, readersOf(field)]));
/** Of any other field. */
const OTHER_READERS = readersOf("");

/**
 * Reads a value by its lists, whatever its field: what is not understood beside them is set aside, and never blocks them.
 */
export function readLists(field: string, value: Record<string, unknown>, origin: PlacedOrigin): CallbackChange[] {
  const { providerPhoneNumberId, providerAccountId, at, part } = origin;
  if (providerPhoneNumberId === null)
    return [unrecognized(`${field} without phone_number_id`, origin, { field, value })];
  const { contacts, ...lists } = value;
  const beside = new PeopleBeside(contacts, "history" in lists ? null : Object.values(lists));
  const displayNumber = asText(asRecord(value["metadata"])?.["display_phone_number"]);
  const about = { displayNumber, beside, summary: summaryOf(value), errorsAlone: errorsAloneIn(value, part) };
  const of = { providerPhoneNumberId, providerAccountId, at, part, ...about };
  const readers = READERS.get(field) ?? OTHER_READERS;
  const changes: CallbackChange[] = [];
  let isEmpty = true;
  for (const [name, list] of Object.entries(value)) {
    const reader = readers.get(name);
    if (reader === undefined && isBeside(name, list)) continue;
    isEmpty = false;
    for (const change of readList(reader, { field, name, list }, of)) changes.push(change);
  }
  return isEmpty ? [unrecognized(`${field} without content`, origin, { field, value })] : changes;
}

/** What is beside the lists of a value and belongs to all of them. */
const isBeside = (name: string, value: unknown): boolean =>
  name === "messaging_product" ||
  name === "metadata" ||
  name === "waac_id" ||
  name === "messaging_account_id" ||
  name === SUMMARY ||
  (name === "contacts" && (Array.isArray(value) || value === null));

/** The provider's summary of a conversation that has passed to us (Cloud API documentation, conversation routing). */
const SUMMARY = "conversation_context";

/** The summary, where one person has written all messages beside it: it is about that person, and of others it must not be kept. */
export function summaryOf(value: Record<string, unknown>): unknown {
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

function readList(
  reader: Reader | undefined,
  { field, name, list }: { field: string; name: string; list: unknown },
  of: OfNumber,
): CallbackChange[] {
  const aside = (reason: string, part: unknown): CallbackChange =>
    unrecognized(reason, of, { field, value: { [name]: part } });
  if (reader === undefined) return [aside(`unknown part of ${field}`, list)];
  if (list === null) return []; // as an empty one
  if (!Array.isArray(list)) return [aside(`${name} is no list`, list)];
  if ("whole" in reader) return reader.whole(list, of, field);
  return list.flatMap((item: unknown, index) => {
    const record = asRecord(item);
    if (record === null) return [aside(`an item of ${name} is no object`, [item])];
    return taken(reader.item(record, of, index), of, { field, value: { [name]: [item] } });
  });
}

/** The chunks of a history: their messages, and what else they say, such as that the owner declined. */
function readHistory(chunks: readonly unknown[], of: OfNumber, field: string): CallbackChange[] {
  const changes: CallbackChange[] = [];
  const messages: InThread[] = [];
  const aside = (reason: string, chunk: unknown): number =>
    changes.push(unrecognized(reason, of, { field, value: { history: [chunk] } }));
  for (const chunk of chunks) {
    const record = asRecord(chunk);
    if (record === null) {
      aside("an item of history is no object", chunk);
      continue;
    }
    const { messages: some, unreadable, about } = messagesOfChunk(record);
    for (const one of some) messages.push(one);
    if (unreadable.length > 0) aside("part of a history without messages", { threads: unreadable });
    else if (about !== null) changes.push(noticeOf("history", { history: [about] }, originOf(of)));
  }
  return [...changes, ...readPastMessages(messages, of)];
}

/** One change for all that can be read, and one for each reason why the others cannot: there may be thousands of either. */
function readPastMessages(all: readonly InThread[], of: OfNumber): CallbackChange[] {
  const messages: PastMessage[] = [];
  const unread = new Map<string, unknown[]>();
  for (const one of all) {
    const read = readPast(one, of);
    if ("reason" in read) appendTo(unread, read.reason, one.message);
    else messages.push(read);
  }
  const { providerPhoneNumberId } = of;
  return [
    ...(messages.length > 0 ? [{ kind: "history" as const, providerPhoneNumberId, messages }] : []),
    ...[...unread].map(([reason, some]) => unrecognized(reason, of, { field: "history", value: { messages: some } })),
  ];
}

function readPhoneBook(list: readonly unknown[], of: OfNumber, field: string): CallbackChange[] {
  const entries: PhoneBookEntry[] = [];
  const unread: unknown[] = [];
  for (const item of list) {
    const entry = readEntry(item);
    if (entry === null) unread.push(item);
    else entries.push(entry);
  }
  const value = { field, value: { state_sync: unread } };
  return [
    ...(entries.length > 0
      ? [{ kind: "phone_book" as const, providerPhoneNumberId: of.providerPhoneNumberId, entries }]
      : []),
    ...(unread.length > 0 ? [unrecognized("entry of a phone book without a possible number", of, value)] : []),
  ];
}

/** A profile without a time changes no contact: it may be of any age. It is only reported. */
const readProfiles = (contacts: readonly unknown[], of: OfNumber): CallbackChange[] =>
  of.at === null
    ? [noticeOf("consumer_profile", { contacts }, originOf(of))]
    : contacts.flatMap((contact) =>
        taken(readProfile(contact, of.providerPhoneNumberId, of.at ?? 0), of, {
          field: "consumer_profile",
          value: { contacts: [contact] },
        }),
      );

const originOf = ({ providerAccountId, providerPhoneNumberId, at }: OfNumber): Origin => ({
  providerAccountId,
  providerPhoneNumberId,
  at,
});
