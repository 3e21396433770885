import type { CallbackPart, OwnValues, PartEnvelope } from "../../callback-parts.ts";
import { asId, asRecord, asText } from "../json.ts";
import { escaped, itemsOf, memberOf, membersOf, withMembers } from "../json-text.ts";
import { exchanged } from "./exchange.ts";
import { summaryOf } from "./lists.ts";
import { contactOf, PeopleBeside } from "./person.ts";
import { STANDBY_FIELD, unwrapped } from "./standby.ts";

/** By list, what its items are. */
const LISTS = { messages: "message", message_echoes: "echo", statuses: "status" } as const;
type ListName = keyof typeof LISTS;
/** Of all kinds of lists: those beside the part's own are of other events. */
const OTHER_LISTS = ["calls", "history", "state_sync", "user_actions", "user_id_update", "user_preferences"];
const WITHOUT_LISTS: Record<string, null> = Object.fromEntries(
  [...Object.keys(LISTS), ...OTHER_LISTS].map((name) => [name, null]),
);

type Item = Record<string, unknown>;
/** A value with one item alone; `names` is what calls its person. */
type Cut = { value: string; names: Item };

/**
 * The envelope with one message or status alone, cut out of the text of a callback: all that is beside it stays as the provider wrote it,
 * but for other entries, changes and items, and for contacts of other people. Null where it is not in there.
 */
export function cutCallback(body: Uint8Array, part: CallbackPart, own: OwnValues): PartEnvelope | null {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  for (const entry of itemsOf(memberOf(text, "entry") ?? "")) {
    for (const change of itemsOf(memberOf(entry, "changes") ?? "")) {
      const cut = cutChange(change, part, own);
      if (cut === null) continue;
      const changes = `[${withMembers(change, { value: cut.value })}]`;
      const whole = withMembers(text, { entry: `[${withMembers(entry, { changes })}]` });
      return { field: cut.field, body: Buffer.from(escaped(whole), "latin1") };
    }
  }
  return null;
}

function cutChange(change: string, part: CallbackPart, own: OwnValues): { field: string; value: string } | null {
  const text = memberOf(change, "value");
  if (text === undefined) return null;
  const number = asRecord(JSON.parse(memberOf(text, "metadata") ?? "null"));
  if (asId(number?.["phone_number_id"]) !== part.providerPhoneNumberId) return null;
  const field = asText(JSON.parse(memberOf(change, "field") ?? "null")) ?? "";
  const cut = cutLists(text, part, own) ?? (field === STANDBY_FIELD ? cutStandby(text, part, own) : null);
  return cut === null ? null : { field, value: withOwnPeople(text, cut) };
}

function cutLists(text: string, part: CallbackPart, own: OwnValues): Cut | null {
  for (const { name, value } of membersOf(text)) {
    if (!isList(name)) continue;
    const found = itemsOf(value).find((item) => isPart(JSON.parse(item), LISTS[name], part, own));
    if (found === undefined) continue;
    const lists = { ...WITHOUT_LISTS, standby: null, [name]: `[${exchanged(found, own)}]` };
    return { value: withMembers(text, lists), names: namesOf(name, JSON.parse(found) as Item) }; // `isPart` has seen an object
  }
  return null;
}

const isList = (name: string): name is ListName => name in LISTS;

/** The lists of copies stand in `standby`; of older apps it is itself the list of the messages. */
function cutStandby(text: string, part: CallbackPart, own: OwnValues): Cut | null {
  const standby = memberOf(text, "standby") ?? "";
  const isOlder = standby.startsWith("[");
  const inside = cutLists(isOlder ? `{"messages":${standby}}` : standby, part, own);
  if (inside === null) return null;
  const cut = withOwnPeople(standby, inside);
  const left = isOlder ? (memberOf(cut, "messages") ?? "[]") : cut;
  return { value: withMembers(text, { ...WITHOUT_LISTS, standby: left }), names: inside.names };
}

function isPart(value: unknown, is: "message" | "echo" | "status", part: CallbackPart, own: OwnValues): boolean {
  const item = asRecord(value);
  if (item === null) return false;
  const hasId = asId(item["id"]) === part.providerMessageId;
  if (typeof part.is === "string") return is === part.is && hasId;
  const data = asText(item["biz_opaque_callback_data"]);
  return is === "status" && item["status"] === part.is.status && (hasId || (data !== null && own.namesMessage(data)));
}

/** What calls the person of an item, as a sender is called. */
function namesOf(list: ListName, item: Item): Item {
  if (list === "messages") return item;
  if (list === "statuses") return { from: item["recipient_id"], from_user_id: item["recipient_user_id"] };
  const echo = unwrapped(item);
  return { from: echo["to"], from_user_id: echo["to_user_id"] };
}

/** Beside a part its own person alone: no other contacts, and no summary of conversations of several people. */
function withOwnPeople(before: string, { value, names }: Cut): string {
  const whole = asRecord(JSON.parse(before));
  if (whole === null) return value;
  const { contacts, ...lists } = whole;
  const contact = contactOf(names, new PeopleBeside(contacts, Object.values(lists)));
  const own = contact === null ? -1 : (contacts as unknown[]).indexOf(contact); // where one was found in it
  const kept = own < 0 ? undefined : itemsOf(memberOf(before, "contacts") ?? "")[own];
  return withMembers(value, {
    ...(Array.isArray(contacts) ? { contacts: kept === undefined ? null : `[${kept}]` } : {}),
    ...(Array.isArray(whole["messages"]) && summaryOf(whole) === null ? { conversation_context: null } : {}),
  });
}
