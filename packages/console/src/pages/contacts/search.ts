import { oneOf, searchOf, text, time } from "../../search.ts";

export const CONSENTS = ["opted_in", "opted_out", "unknown"] as const;

/** Filters and place of the list of contacts, as in its address and in the API; `open`: the sheet beside it. */
export const contactsSearch = searchOf({
  q: text,
  phone: text,
  tag: text,
  segment_id: text,
  marketing_consent: oneOf(CONSENTS),
  created_after: time,
  cursor: text,
  open: oneOf(["new"]),
});
export type ContactsSearch = ReturnType<typeof contactsSearch>;

/** What of an address the API is asked for. */
export const listed = ({ open: _open, ...asked }: ContactsSearch): Omit<ContactsSearch, "open"> => asked;
