import { appendTo } from "../../../lib/append-to.ts";
import { beginningOf } from "../../../lib/beginning-of.ts";
import { phoneOfProvider } from "../../../lib/phone/phone.ts";
import { comparePhones, loosePhoneKey, phoneKey } from "../../../lib/phone/variants.ts";
import { isOpaqueId, isParentUserId, isUserId } from "../../../lib/user-ids.ts";
import type { ProviderPerson } from "../../person.ts";
import { asRecord, asText } from "../json.ts";

type Fields = Record<string, unknown>;

/** The people whom a value names beside its lists (`contacts`), often none. */
export class PeopleBeside {
  readonly contacts: readonly Fields[];
  readonly #lists: readonly unknown[] | null;
  #only: Fields | null | undefined;
  #byId: ReadonlyMap<string, Fields> | undefined;
  #byNumber: ReadonlyMap<string, readonly Fields[]> | undefined;
  #strangers: readonly Fields[] | undefined;

  /** `contacts` may be anything; `lists` are those of the value, null where their items do not name their people. */
  constructor(contacts: unknown, lists: readonly unknown[] | null) {
    this.contacts = recordsOf(contacts);
    this.#lists = lists;
  }

  /** What names people in each item. Few values need it: mostly a contact has the very number or id. */
  #names(): Fields[] {
    return (this.#lists ?? []).flatMap(recordsOf).map(namesIn);
  }

  /** The single contact of a value whose items are all of one person, whatever they call them. */
  get only(): Fields | null {
    if (this.#only === undefined) {
      const [contact = null, ...others] = this.contacts;
      const named = this.#names().filter((names) => Object.keys(names).length > 0);
      const isOfOne = this.#lists !== null && new Set(named.map((names) => JSON.stringify(names))).size <= 1;
      this.#only = others.length === 0 && isOfOne ? contact : null;
    }
    return this.#only;
  }

  /** The first one that has this as number or user id, as it is written. */
  withId(id: string | null): Fields | undefined {
    if (id === null) return undefined;
    if (this.contacts.length <= FEW) return this.contacts.find((contact) => hasId(contact, id));
    this.#byId ??= byId(this.contacts);
    return this.#byId.get(id);
  }

  /** Those that have a number of this key (lib/phone/variants.ts). */
  withNumber(key: string): readonly Fields[] {
    this.#byNumber ??= byNumber(this.contacts);
    return this.#byNumber.get(key) ?? [];
  }

  /** Those that belong to no item, as far as can be seen. */
  get strangers(): readonly Fields[] {
    if (this.#strangers === undefined) {
      const known = new Set(
        this.#names()
          .flatMap(partiesIn)
          .map((party) => contactOf(party, this)),
      );
      const all = this.#lists === null ? [] : this.contacts;
      this.#strangers = all.filter((contact) => !known.has(contact)).slice(0, MOST_STRANGERS);
    }
    return this.#strangers;
  }
}

export const NONE_BESIDE = new PeopleBeside(null, []);

/** Kept of contacts that belong to no item: one explains itself, many are a mistake of the provider's. */
const MOST_STRANGERS = 5;

function recordsOf(list: unknown): Fields[] {
  return (Array.isArray(list) ? list : []).map(asRecord).filter((record) => record !== null);
}

/** So many are gone through sooner than put in order; mostly there is one. */
const FEW = 4;
const hasId = (contact: Fields, id: string): boolean =>
  asText(contact["wa_id"]) === id || asText(contact["user_id"]) === id;

function byId(contacts: readonly Fields[]): Map<string, Fields> {
  const found = new Map<string, Fields>();
  for (const contact of contacts)
    for (const id of [asText(contact["wa_id"]), asText(contact["user_id"])])
      if (id !== null && !found.has(id)) found.set(id, contact);
  return found;
}

function byNumber(contacts: readonly Fields[]): Map<string, Fields[]> {
  const found = new Map<string, Fields[]>();
  for (const contact of contacts) {
    const number = numberOf(asText(contact["wa_id"]));
    if (number === null) continue;
    for (const key of new Set([phoneKey(number), loosePhoneKey(number)])) appendTo(found, key, contact);
  }
  return found;
}

/** Where an item may name its person, or the number itself in the other direction. */
const NAMES = [
  ["from", "from_user_id"],
  ["to", "to_user_id"],
  ["recipient_id", "recipient_user_id"],
  ["wa_id", "user_id"],
] as const;

const namesIn = (item: Fields): Fields =>
  Object.fromEntries(NAMES.flat().flatMap((name) => ((item[name] ?? null) === null ? [] : [[name, item[name]]])));

const partiesIn = (names: Fields): Fields[] =>
  NAMES.map(([number, userId]) => ({ from: names[number], from_user_id: names[userId] })).filter(
    ({ from, from_user_id }) => from !== undefined || from_user_id !== undefined,
  );

/** Who wrote a message, or null. A business-scoped id may sit where a number is documented (Cloud API documentation, business-scoped user ids), so each place is read by its shape. */
export function senderOf(message: Fields, beside: PeopleBeside): ProviderPerson | null {
  const from = asText(message["from"]);
  const fromUserId = asText(message["from_user_id"]);
  const contact = contactOf(message, beside);
  const contactWaId = asText(contact?.["wa_id"]);
  const profile = asRecord(contact?.["profile"]);
  const number = numberOf(from);
  const waId = waIdOf(number, numberOf(contactWaId)) ?? ownNumberOf(message);
  const userIds = [fromUserId, asText(contact?.["user_id"]), from, contactWaId].filter(isUserId);
  const parentIds = [asText(message["from_parent_user_id"]), asText(contact?.["parent_user_id"]), ...userIds];
  const parentUserId = parentIds.filter(isUserId).find(isParentUserId) ?? null;
  const opaqueId = waId === null && parentUserId === null ? [from, contactWaId].find(isOpaqueId) : undefined;
  const userId = userIds.find((id) => !isParentUserId(id)) ?? opaqueId ?? null;
  if (waId === null && userId === null && parentUserId === null) return null;
  return {
    // A number without its country is another one.
    from: waId === null ? null : `+${number !== null && comparePhones(number, waId) !== "different" ? number : waId}`,
    waId,
    userId,
    parentUserId,
    ...callsThemselves(profile),
  };
}

/** As long as a name that a client may give; what people call themselves is much shorter. */
const MOST_NAME_UNITS = 256;

/** How people call themselves, by the `profile` of a contact. */
export function callsThemselves(profile: Fields | null): Pick<ProviderPerson, "username" | "profileName"> {
  const [username = null, profileName = null] = ["username", "name"].map((name) => {
    const text = asText(profile?.[name]);
    return text === null ? null : beginningOf(text, MOST_NAME_UNITS);
  });
  return { username, profileName };
}

/** What people put between the digits of a number. */
const SEPARATORS = /[\p{Zs}\p{Pd}().]/gu;

/** Digits of a number that the provider gives, also where it is written as people write it; null for what is none. */
export function numberOf(text: string | null): string | null {
  return phoneOfProvider(text) ?? (text === null ? null : phoneOfProvider(text.replace(SEPARATORS, "")));
}

/** The provider's own form of a number is that of the contact, where the two can be one number. */
const waIdOf = (number: string | null, ofContact: string | null): string | null =>
  number === null || ofContact === null || isOneNumber(number, ofContact) ? (ofContact ?? number) : number;

/** Digits that a number and a part of it have in common at least: without the country, and no extension. */
const LEAST_DIGITS = 7;

const isOneNumber = (a: string, b: string): boolean =>
  comparePhones(a, b) !== "different" ||
  (Math.min(a.length, b.length) >= LEAST_DIGITS && (a.endsWith(b) || b.endsWith(a)));

/** The number of a person who answers our request for it with their own card. A card of any other origin may be of any person. */
function ownNumberOf(message: Fields): string | null {
  const cards = Array.isArray(message["contacts"]) ? message["contacts"].map(asRecord) : [];
  const own = cards.find((card) => card?.["origin"] === "contact_request");
  const phones: unknown[] = Array.isArray(own?.["phones"]) ? own["phones"] : [];
  return (
    phones.map((phone) => phoneOfProvider(asText(asRecord(phone)?.["wa_id"]))).find((waId) => waId !== null) ?? null
  );
}

/**
 * The contact of this sender: by an id or number in common, by another form of the number where it is one person's, and else the only
 * one beside messages of one person, unless it says that it is another person.
 */
export function contactOf(message: Fields, beside: PeopleBeside): Fields | null {
  const from = asText(message["from"]);
  const fromUserId = asText(message["from_user_id"]);
  if (beside.contacts.length === 0) return null;
  const own = beside.withId(from) ?? beside.withId(fromUserId);
  if (own !== undefined) return own;
  const isOther = (contact: Fields): boolean => {
    const userId = asText(contact["user_id"]);
    return userId !== null && fromUserId !== null && userId !== fromUserId;
  };
  const number = numberOf(from);
  if (number !== null) {
    const verdictOf = (contact: Fields) => comparePhones(number, numberOf(asText(contact["wa_id"])) ?? "");
    const same = beside.withNumber(phoneKey(number)).find((contact) => verdictOf(contact) === "same");
    if (same !== undefined) return same;
    const likely = beside.withNumber(loosePhoneKey(number)).filter((contact) => verdictOf(contact) === "by_evidence");
    const [one] = likely;
    if (one !== undefined && likely.length === 1 && !isOther(one)) return one;
  }
  const { only } = beside;
  return only !== null && !isOther(only) ? only : null;
}
