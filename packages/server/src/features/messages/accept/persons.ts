import type { Database } from "../../../db/database.ts";
import { parsePhone } from "../../../lib/phone/phone.ts";
import { seenId } from "../../../lib/phone/phone-text.ts";
import { findContactIds } from "../../identity/find-contact.ts";
import { phoneKeys } from "../../identity/reported-identifiers.ts";

/**
 * Whom each message of a list is for: the same text for the same person, whatever names and forms are used; null for null. Only a
 * list that names people in several ways costs a read.
 */
export async function personsOf(
  db: Database,
  workspaceId: string,
  list: readonly ({ to: string } | null)[],
): Promise<(string | null)[]> {
  const names = new Set(list.flatMap((one) => (one === null ? [] : [one.to])));
  const phones = new Map([...names].flatMap((name) => (parsePhone(name) === null ? [] : [[name, canonical(name)]])));
  const persons = new Map([...names].map((name) => [name, phones.get(name) ?? seenId(name)]));
  if (phones.size > 0 && phones.size < names.size)
    await db.read(workspaceId, async (sql) => {
      const asked = [...names];
      const contactIds = await findContactIds(sql, workspaceId, asked);
      asked.forEach((name, index) => persons.set(name, contactIds[index] ?? persons.get(name) ?? name));
    });
  return list.map((one) => (one === null ? null : (persons.get(one.to) ?? one.to)));
}

function canonical(name: string): string {
  const digits = (parsePhone(name) ?? name).slice(1);
  return phoneKeys(digits).key ?? digits;
}
