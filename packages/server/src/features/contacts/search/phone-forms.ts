import { personNamed } from "../../people/person.ts";

/** A number as the provider writes it, and as people copy it: without the `+`. */
const BARE_DIGITS = /^[1-9]\d{7,14}$/;

/** Digits of the forms that a written number can mean; null: it is no number. */
export function phoneForms(text: string): readonly string[] | null {
  const name = personNamed(BARE_DIGITS.test(text) ? `+${text}` : text);
  return name !== null && "phones" in name ? name.phones : null;
}
