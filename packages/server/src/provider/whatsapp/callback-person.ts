import { phoneOfProvider } from "../../lib/phone.ts";
import { isOpaqueId, isParentUserId, isUserId } from "../../lib/user-ids.ts";
import type { ProviderPerson } from "../person.ts";
import { asRecord, asText } from "./json.ts";

/** Who wrote a message, or null. A business-scoped id may sit where a number is documented (Cloud API documentation, business-scoped user ids), so each place is read by its shape. */
export function senderOf(message: Record<string, unknown>, contacts: readonly unknown[]): ProviderPerson | null {
  const from = asText(message["from"]);
  const fromUserId = asText(message["from_user_id"]);
  const contact = contactOf(message, contacts);
  const contactWaId = asText(contact?.["wa_id"]);
  const profile = asRecord(contact?.["profile"]);
  const number = phoneOfProvider(from);
  const waId = phoneOfProvider(contactWaId) ?? number ?? ownNumberOf(message);
  const userIds = [fromUserId, asText(contact?.["user_id"]), from, contactWaId].filter(isUserId);
  const parentIds = [asText(message["from_parent_user_id"]), asText(contact?.["parent_user_id"]), ...userIds];
  const parentUserId = parentIds.filter(isUserId).find(isParentUserId) ?? null;
  const opaqueId = waId === null && parentUserId === null ? [from, contactWaId].find(isOpaqueId) : undefined;
  const userId = userIds.find((id) => !isParentUserId(id)) ?? opaqueId ?? null;
  if (waId === null && userId === null && parentUserId === null) return null;
  return {
    from: waId === null ? null : `+${number ?? waId}`,
    waId,
    userId,
    parentUserId,
    username: asText(profile?.["username"]),
    profileName: asText(profile?.["name"]),
  };
}

/** The number of a person who answers our request for it with their own card. A card of any other origin is anybody's. */
function ownNumberOf(message: Record<string, unknown>): string | null {
  const cards = Array.isArray(message["contacts"]) ? message["contacts"].map(asRecord) : [];
  const own = cards.find((card) => card?.["origin"] === "contact_request");
  const phones: unknown[] = Array.isArray(own?.["phones"]) ? own["phones"] : [];
  return (
    phones.map((phone) => phoneOfProvider(asText(asRecord(phone)?.["wa_id"]))).find((waId) => waId !== null) ?? null
  );
}

/** The contact of this sender; also a single contact that names no other sender. */
export function contactOf(
  message: Record<string, unknown>,
  contacts: readonly unknown[],
): Record<string, unknown> | null {
  const from = asText(message["from"]);
  const fromUserId = asText(message["from_user_id"]);
  const records = contacts.map(asRecord).filter((contact) => contact !== null);
  const own = records.find((contact) => {
    const waId = asText(contact["wa_id"]);
    const userId = asText(contact["user_id"]);
    return (waId !== null && waId === from) || (userId !== null && (userId === fromUserId || userId === from));
  });
  if (own !== undefined) return own;
  const lone = records.length === 1 ? records[0] : undefined;
  return lone !== undefined && from === null && fromUserId === null ? lone : null;
}
