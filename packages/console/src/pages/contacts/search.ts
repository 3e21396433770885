import { oneOf, searchOf, text, time } from "../../search.ts";

export const CONSENTS = ["opted_in", "opted_out", "unknown"] as const;

/**
 * Filters and place of the list of contacts, as in its address and in the API; `open`: the sheet over it. `beside`: the contact beside it,
 * with what of that is open.
 */
export const contactsSearch = searchOf({
  q: text,
  phone: text,
  tag: text,
  segment_id: text,
  marketing_consent: oneOf(CONSENTS),
  created_after: time,
  cursor: text,
  open: oneOf(["new"]),
  beside: text,
  sheet: oneOf(["edit", "merge"]),
  other: text,
});
export type ContactsSearch = ReturnType<typeof contactsSearch>;

/** What of it the API is asked for. */
export function askedOf({ open: _open, beside: _beside, sheet: _sheet, other: _other, ...asked }: ContactsSearch) {
  return asked;
}
