import { formatId } from "../../lib/ids.ts";
import { isUserId } from "../../lib/user-ids.ts";
import { WINDOW_MS } from "../threads/thread.sql.ts";
import type { Contact } from "./schema.ts";

type Time = Date | string;
type ConsentSource = NonNullable<Contact["consent_source"]>;

/** A contact's row, from the driver or as JSON from a hot function. */
export type ContactRow = {
  id: string;
  phone: string | null;
  wa_id: string | null;
  user_id: string | null;
  parent_user_id: string | null;
  username: string | null;
  profile_name: string | null;
  name: string | null;
  email: string | null;
  locale: string | null;
  attributes: Contact["attributes"];
  tags: string[];
  marketing_consent: "unknown" | "opted_in" | "opted_out";
  consent_source: ConsentSource | null;
  created_at: Time;
  updated_at: Time;
};

/** The contact in events: as it is when the event is rendered, without what changes with each message. */
export type ContactSnapshot = Omit<Contact, "last_inbound_at" | "windows">;

const hasOpaqueId = ({ user_id }: ContactRow): boolean => user_id !== null && !isUserId(user_id);

/** The 24-hour window by the message that opened it. */
export function renderWindow(lastInboundAt: Time, now: number): { open: boolean; expires_at: string } {
  const expiresAt = new Date(lastInboundAt).getTime() + WINDOW_MS;
  return { open: now < expiresAt, expires_at: new Date(expiresAt).toISOString() };
}

/** The contact resource, as far as its row alone says. */
export const renderContact = (row: ContactRow): ContactSnapshot => ({
  id: formatId("con", row.id),
  phone: row.phone,
  // An id that looks like a number and is none has the place of a user id, and is shown where the provider gives it.
  wa_id: row.wa_id ?? (hasOpaqueId(row) ? row.user_id : null),
  user_id: hasOpaqueId(row) ? null : row.user_id,
  parent_user_id: row.parent_user_id,
  username: row.username,
  profile_name: row.profile_name,
  name: row.name,
  email: row.email,
  locale: row.locale,
  attributes: row.attributes,
  tags: row.tags,
  marketing_consent: row.marketing_consent,
  consent_source: row.consent_source,
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
});
