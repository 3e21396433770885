import type { PartKind, WrittenPart } from "../../provider/callback-parts.ts";
import type { PartPlace } from "../../provider/part-place.ts";
import { type EventPart, isRow, type JsonRow, type PartSource } from "../events/event-groups.ts";

/** What calls the contact of an event, where that is written in the provider's shape. */
export function personOf(contact: JsonRow | null): WrittenPart["person"] {
  const textOf = (name: string): string | null => {
    const value = contact?.[name];
    return typeof value === "string" ? value : null;
  };
  return { phone: textOf("phone"), userId: textOf("user_id"), name: textOf("profile_name") };
}

/** A part about a person and of no message, by its place in the callback; null where none said it. */
export function partOfPerson(
  { number, state, contact, occurredAt }: PartSource,
  is: PartKind,
  fields: Record<string, unknown> = {},
): EventPart | null {
  const { place } = state;
  if (number === null || !isRow(place)) return null;
  const { providerPhoneNumberId, providerAccountId, phone } = number;
  return {
    part: place as PartPlace, // as the callback's change had it
    written: {
      providerPhoneNumberId,
      providerId: null,
      is,
      providerAccountId: providerAccountId ?? "0",
      businessPhone: phone,
      person: personOf(contact),
      at: occurredAt,
      fields,
    },
    own: { isOurs: () => false, namesMessage: () => false },
  };
}
