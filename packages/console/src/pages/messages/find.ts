/** What a text in the search box leads to: one message, a filter of the list, or null for neither. */
export type Found = { message: string } | { filter: "to" | "contact_id" | "provider_message_id"; value: string };

/** An id of a message or contact, the provider's id of a message, or a phone number in any form. */
export function foundBy(given: string): Found | null {
  if (/^msg_[0-9a-z]{10,40}$/i.test(given)) return { message: given };
  if (/^con_[0-9a-z]{10,40}$/i.test(given)) return { filter: "contact_id", value: given };
  if (/^wamid\.\S{8,}$/.test(given)) return { filter: "provider_message_id", value: given };
  const digits = given.replaceAll(/[\s().\-/]/g, "");
  if (/^(?:\+|00)?\d{6,15}$/.test(digits)) return { filter: "to", value: digits.replace(/^(?:00|\+)?/, "+") };
  return null;
}
