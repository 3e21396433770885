import { parseIdentifier, withPlus } from "../../identity/find-contact.ts";

/** Digits of the forms that a written number can mean, also without its `+`; null: it is no number. */
export function phoneForms(text: string): readonly string[] | null {
  const name = parseIdentifier(withPlus(text));
  return name !== null && "phones" in name ? name.phones : null;
}
