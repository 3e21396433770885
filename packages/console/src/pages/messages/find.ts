/** What a text in the search box narrows the list of messages to. */
export type Found = { filter: "to" | "provider_message_id"; value: string };

/** The provider's id of a message, or a phone number in any form; null for neither. */
export function foundBy(given: string): Found | null {
  if (/^wamid\.\S{8,}$/.test(given)) return { filter: "provider_message_id", value: given };
  const digits = given.replaceAll(/[\s().\-/]/g, "");
  if (/^(?:\+|00)?\d{6,15}$/.test(digits)) return { filter: "to", value: digits.replace(/^(?:00|\+)?/, "+") };
  return null;
}
