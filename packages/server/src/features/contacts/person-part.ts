import type { NamesOfPerson, PartKind, WrittenPart } from "../../provider/callback-parts.ts";
import type { EventPart, JsonRow, PartSource } from "../events/event-groups.ts";

/** What the provider calls the contact of an event now. */
export function namesOfPerson(contact: JsonRow | null): NamesOfPerson {
  const texts = (...names: string[]): string[] =>
    names.map((name) => contact?.[name]).filter((value) => typeof value === "string");
  return {
    phones: texts("phone", "wa_id").map((phone) => phone.replace(/\D/g, "")),
    userIds: texts("user_id", "parent_user_id"),
  };
}

/** The same where an event is written in the provider's shape. */
export function personOf(contact: JsonRow | null): WrittenPart["person"] {
  const textOf = (name: string): string | null => {
    const value = contact?.[name];
    return typeof value === "string" ? value : null;
  };
  return { phone: textOf("phone"), userId: textOf("user_id"), name: textOf("profile_name") };
}

type Written = Omit<WrittenPart, "providerPhoneNumberId" | "providerId" | "is" | "providerAccountId" | "businessPhone">;

/** A part about a person that is about no message. */
export function partOfPerson(
  { providerPhoneNumberId, providerAccountId, phone }: NonNullable<PartSource["number"]>,
  is: PartKind,
  written: Written,
): EventPart {
  const part = { providerPhoneNumberId, providerId: null, is };
  return {
    part,
    written: { ...part, providerAccountId: providerAccountId ?? "0", businessPhone: phone, ...written },
    own: { isOurs: () => false, namesMessage: () => false },
  };
}
