import type { Sql } from "../../db/database.ts";
import { parseId } from "../../lib/ids.ts";
import { parsePhone, phoneOfProvider } from "../../lib/phone/phone.ts";
import { seenId, seenPhone } from "../../lib/phone/phone-text.ts";
import { phoneKey } from "../../lib/phone/variants.ts";
import { isUserId } from "../../lib/user-ids.ts";
import {
  type GivenIdentifier,
  insertUserIdRowsOfPortfolio,
  selectHasNumber,
  selectRecordIds,
  selectSurvivorId,
  selectSurvivorIds,
} from "./find-contact.store.ts";

/**
 * How a text names a person: a number in any form that the provider or people use, a contact id, or a user id. Null: it names
 * none. A `+` that a query has turned into a space is one.
 */
export function parseIdentifier(text: string): GivenIdentifier | null {
  const id = seenId(text);
  const contactId = id.startsWith("con_") ? parseId("con", id) : null;
  if (contactId !== null) return { contactId };
  if (isUserId(id)) return { userId: id };
  const written = /^ \d/.test(text) ? `+${seenPhone(text)}` : seenPhone(text);
  // What the provider calls a person is a name even if people would read it differently, or no plan has such a number.
  const asProvider = written.startsWith("+") ? phoneOfProvider(written) : null;
  const parsed = parsePhone(written)?.slice(1) ?? null;
  const forms = [asProvider, parsed].filter((digits) => digits !== null);
  return forms.length === 0 ? null : { phones: [...new Set([...forms, ...forms.map(phoneKey)])] };
}

/** A number as the provider writes it, and as the API shows it in `wa_id`. */
const BARE_DIGITS = /^[1-9]\d{7,14}$/;

/** A number as it is asked for: one that is bare digits gets its `+`. */
export function withPlus(text: string): string {
  const seen = seenPhone(text);
  return BARE_DIGITS.test(seen) ? `+${seen}` : text;
}

/** Of a filter, which may lack the `+` that the `to` of a message must have: a mistake finds no contact, and sends nothing to a stranger. */
const filtered = (text: string): GivenIdentifier | null => parseIdentifier(withPlus(text));

/** Uuids of the records of the person that a filter names, the surviving one first; empty: no contact has that name. */
export async function findRecordIds(sql: Sql, workspaceId: string, text: string): Promise<string[]> {
  const name = filtered(text);
  return name === null ? [] : await selectRecordIds(sql, workspaceId, name);
}

/** Uuids of all records of a contact's person; empty: there is no such contact. */
export const recordIdsOf = (sql: Sql, workspaceId: string, contactId: string): Promise<string[]> =>
  selectRecordIds(sql, workspaceId, { contactId });

/** Uuid of the contact that a filter names. */
export async function findFilteredContactId(sql: Sql, workspaceId: string, text: string): Promise<string | null> {
  const name = filtered(text);
  return name === null ? null : await selectSurvivorId(sql, workspaceId, name);
}

/** Uuid of the contact that the `to` of a message names. */
export async function findContactId(sql: Sql, workspaceId: string, text: string): Promise<string | null> {
  const name = parseIdentifier(text);
  return name === null ? null : await selectSurvivorId(sql, workspaceId, name);
}

/** Whether a phone number is known of the person whom the `to` of a message names; null when the person is not known. */
export async function hasNumber(sql: Sql, workspaceId: string, text: string): Promise<boolean | null> {
  const name = parseIdentifier(text);
  return name === null ? null : await selectHasNumber(sql, workspaceId, name);
}

/** Uuids of the contacts that the `to`s of messages name, in their order. */
export async function findContactIds(
  sql: Sql,
  workspaceId: string,
  texts: readonly string[],
): Promise<(string | null)[]> {
  const names = texts.map(parseIdentifier);
  const known = names.filter((name) => name !== null);
  const found = await selectSurvivorIds(sql, workspaceId, known);
  const contacts = new Map(known.map((name, index) => [name, found[index] ?? null]));
  return names.map((name) => (name === null ? null : (contacts.get(name) ?? null)));
}

/** The portfolio of an account is known: user ids that were heard before are valid in it. */
export const addUserIdsOfPortfolio = insertUserIdRowsOfPortfolio;
