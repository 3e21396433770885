import { formatId } from "../../lib/ids.ts";

/** A contact's row, from the driver or as JSON from a hot function. */
export type ContactRow = {
  id: string;
  phone: string | null;
  wa_id: string | null;
  user_id: string | null;
  name: string | null;
  marketing_consent: string;
  created_at: Date | string;
  updated_at: Date | string;
};

/** The contact resource, as far as it is known. */
export const renderContact = (row: ContactRow): Record<string, unknown> => ({
  id: formatId("con", row.id),
  phone: row.phone,
  wa_id: row.wa_id,
  user_id: row.user_id,
  name: row.name,
  marketing_consent: row.marketing_consent,
  created_at: new Date(row.created_at).toISOString(),
  updated_at: new Date(row.updated_at).toISOString(),
});
