import type { CallbackPart, ListedPart, OwnValues, PartEnvelope } from "../../callback-parts.ts";
import type { PartPlace } from "../../part-place.ts";
import { asId, asRecord, asText } from "../json.ts";
import { escaped, itemsOf, memberOf, membersOf, withMembers } from "../json-text.ts";
import { personOfCall } from "./call.ts";
import { exchanged } from "./exchange.ts";
import { summaryOf } from "./lists.ts";
import { isPart, LISTS, type ListName } from "./part.ts";
import { contactOf, PeopleBeside } from "./person.ts";
import { STANDBY_FIELD, unwrapped } from "./standby.ts";

/** Of all kinds of lists: those beside the part's own are of other events. */
const OTHER_LISTS = ["history", "state_sync", "user_actions", "user_id_update", "user_preferences"];
const WITHOUT_LISTS: Record<string, null> = Object.fromEntries([...LISTS, ...OTHER_LISTS].map((name) => [name, null]));

type Item = Record<string, unknown>;
/** A value with one item alone; `names` is what calls its person. */
type Cut = { value: string; names: Item };

/**
 * The envelope with one part alone, cut out of the text of a callback: all that is beside it stays as the provider wrote it, but for
 * other entries, changes and items, and for contacts of other people. Null where it is not in there.
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
  const entries = itemsOf(memberOf(text, "entry") ?? "");
  if (!("providerId" in part)) return cutPlace(text, entries, part);
  for (const entry of entries) {
    for (const change of itemsOf(memberOf(entry, "changes") ?? "")) {
      const cut = cutChange(change, part, own);
      if (cut !== null) return envelopeOf(cut.field, withMembers(change, { value: cut.value }), entry, text);
    }
  }
  return null;
}

/** `change` alone, in its entry and callback. */
function envelopeOf(field: string, change: string, entry: string, text: string): PartEnvelope {
  const whole = withMembers(text, { entry: `[${withMembers(entry, { changes: `[${change}]` })}]` });
  return { field, body: Buffer.from(escaped(whole), "latin1") };
}

/** All of a change, or one item of it. */
function cutPlace(text: string, entries: readonly string[], part: PartPlace): PartEnvelope | null {
  const entry = entries[part.entry];
  const change = entry === undefined ? undefined : itemsOf(memberOf(entry, "changes") ?? "")[part.change];
  if (entry === undefined || change === undefined || fieldOf(change) !== part.field) return null;
  if (part.list === undefined) return envelopeOf(part.field, change, entry, text);
  const value = memberOf(change, "value") ?? "";
  const item = itemsOf(memberOf(value, part.list) ?? "")[part.item ?? 0];
  if (item === undefined) return null;
  const alone = withMembers(value, { ...WITHOUT_LISTS, [part.list]: `[${item}]` });
  const names = namesInPlace(asRecord(JSON.parse(item)) ?? {});
  return envelopeOf(
    part.field,
    withMembers(change, { value: withOwnPeople(value, { value: alone, names }) }),
    entry,
    text,
  );
}

/** What calls the person of a setting, or of a handover, which has them as one of its parties. */
function namesInPlace(item: Item): Item {
  const party = asRecord(item["sender"]) ?? item;
  return { from: party["wa_id"] ?? party["phone_number"], from_user_id: party["user_id"] };
}

const fieldOf = (change: string): string => asText(JSON.parse(memberOf(change, "field") ?? "null")) ?? "";

type CutChange = { field: string; value: string };

function cutChange(change: string, part: ListedPart, own: OwnValues): CutChange | null {
  const text = memberOf(change, "value");
  if (text === undefined) return null;
  const number = asRecord(JSON.parse(memberOf(text, "metadata") ?? "null"));
  if (asId(number?.["phone_number_id"]) !== part.providerPhoneNumberId) return null;
  const field = fieldOf(change);
  const cut = cutLists(text, part, own) ?? (field === STANDBY_FIELD ? cutStandby(text, part, own) : null);
  return cut === null ? null : { field, value: withOwnPeople(text, cut) };
}

function cutLists(text: string, part: ListedPart, own: OwnValues): Cut | null {
  for (const { name, value } of membersOf(text)) {
    if (!isList(name)) continue;
    const found = itemsOf(value).find((item) => isPart(name, JSON.parse(item), part, own));
    if (found === undefined) continue;
    const lists = { ...WITHOUT_LISTS, standby: null, [name]: `[${exchanged(found, own)}]` };
    return { value: withMembers(text, lists), names: namesOf(name, JSON.parse(found) as Item, text) }; // `isPart` has seen an object
  }
  return null;
}

const isList = (name: string): name is ListName => LISTS.some((list) => list === name);

/** The lists of copies stand in `standby`; of older apps it is itself the list of the messages. */
function cutStandby(text: string, part: ListedPart, own: OwnValues): Cut | null {
  const standby = memberOf(text, "standby") ?? "";
  const isOlder = standby.startsWith("[");
  const inside = cutLists(isOlder ? `{"messages":${standby}}` : standby, part, own);
  if (inside === null) return null;
  const cut = withOwnPeople(standby, inside);
  const left = isOlder ? (memberOf(cut, "messages") ?? "[]") : cut;
  return { value: withMembers(text, { ...WITHOUT_LISTS, standby: left }), names: inside.names };
}

/** What calls the person of an item, as a sender is called. */
function namesOf(list: ListName, item: Item, value: string): Item {
  if (list === "messages") return item;
  if (list === "statuses") return { from: item["recipient_id"], from_user_id: item["recipient_user_id"] };
  if (list === "calls") {
    const number = asRecord(JSON.parse(memberOf(value, "metadata") ?? "null"));
    return personOfCall(item, asText(number?.["display_phone_number"]));
  }
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
