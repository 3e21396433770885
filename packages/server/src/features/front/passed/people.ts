import type { Sql } from "../../../db/database.ts";
import { findContactIds, withPlus } from "../../identity/find-contact.ts";

/** A number, or a user id, as clients and the provider write them. */
const PERSON = /^(?:\+?[1-9]\d{6,14}|[A-Z]{2}\.[A-Za-z0-9.]{1,128})$/;
/** Of one call: a group has eight people, and a list of blocked ones a thousand. */
const MOST_PEOPLE = 1_000;

/** Texts that may name people, each once. */
export function peopleIn(given: unknown): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (found.size >= MOST_PEOPLE) return;
    if (typeof value === "string" && PERSON.test(value)) found.add(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  visit(given);
  return [...found];
}

/** Uuids of the contacts among them. */
export async function contactsNamed(sql: Sql, workspaceId: string, people: readonly string[]): Promise<string[]> {
  if (people.length === 0) return [];
  const ids = await findContactIds(sql, workspaceId, people.map(withPlus));
  return [...new Set(ids.filter((id) => id !== null))];
}
