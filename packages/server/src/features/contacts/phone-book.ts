import type { App } from "../../ctx.ts";
import { newUuid } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { PhoneBookEntry } from "../../provider/reported.ts";
import { hintCommitted } from "../events/event.ts";
import { phoneKeys } from "../identity/reported-identifiers.ts";
import { type ContactWrite, writeContacts } from "./write.store.ts";

/** Stored in one call: some tens of milliseconds. */
export const ENTRIES_A_CALL = 200;

/**
 * Makes contacts of people in the phone book of a number's own phone, at most `ENTRIES_A_CALL`, or gives them its name where no client
 * gave one; safe to repeat. Who is removed there stays a contact, under the same name: messages were exchanged, and only the workspace
 * erases. `saidAt`: milliseconds, of entries without a time.
 */
export async function storePhoneBook(
  { db, clock, notifier }: Pick<App, "db" | "clock" | "notifier">,
  workspaceId: string,
  entries: readonly PhoneBookEntry[],
  saidAt: number,
): Promise<void> {
  const now = clock.now();
  // Of two entries of one number the later one, as on the phone.
  const added = new Map(entries.filter(({ removed }) => !removed).map((entry) => [entry.phone, entry]));
  const rows = [...added.values()].map((entry) => rowOf(workspaceId, entry, saidAt, now));
  if (rows.length > 0) hintCommitted(notifier, await db.call(writeContacts, rows, now));
}

function rowOf(workspaceId: string, { phone, name, at }: PhoneBookEntry, saidAt: number, now: number): ContactWrite {
  const { key, loose } = phoneKeys(phone);
  return {
    workspace_id: workspaceId,
    mode: "upsert",
    contact_id: newUuid(now),
    phone,
    phone_key: key,
    phone_loose: loose,
    e164: `+${phone}`,
    fields: name === null ? {} : { name },
    attributes: undefined,
    add_tags: undefined,
    remove_tags: undefined,
    consent: undefined,
    consent_at: undefined,
    source: "phone_app",
    said_at: isoTime(Math.min(at ?? saidAt, now)),
  };
}
