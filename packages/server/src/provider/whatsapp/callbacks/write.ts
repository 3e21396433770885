import type { PartEnvelope, PartKind, Written, WrittenNotice, WrittenPart } from "../../callback-parts.ts";
import { asRecord } from "../json.ts";
import { escaped } from "../json-text.ts";
import { HANDOVER_FIELD } from "./handover.ts";
import { STANDBY_FIELD } from "./standby.ts";

type Fields = Record<string, unknown>;

/** The envelope of a part in the provider's shape, from what is kept of it: for one whose callback is gone. */
export const writeCallback = (written: Written): PartEnvelope =>
  "value" in written ? writeNotice(written) : writeListed(written);

function writeNotice({ part, value, providerAccountId, at }: WrittenNotice): PartEnvelope {
  return envelopeOf(part.field, value, {
    id: providerAccountId,
    ...(at === null ? {} : { time: Math.floor(at / 1_000) }),
  });
}

function envelopeOf(field: string, value: Fields, entry: Fields): PartEnvelope {
  const envelope = { object: "whatsapp_business_account", entry: [{ ...entry, changes: [{ field, value }] }] };
  return { field, body: Buffer.from(escaped(JSON.stringify(envelope)), "latin1") };
}

function writeListed(part: WrittenPart): PartEnvelope {
  const { is, isCopy } = part;
  if (typeof is !== "string" && "handover" in is) return writeHandover(part, is.handover);
  const { field, list } = placeOf(is);
  const item = itemOf(part);
  const value = {
    messaging_product: "whatsapp",
    metadata: present({
      display_phone_number: digitsOf(part.businessPhone),
      phone_number_id: part.providerPhoneNumberId,
    }),
    ...present({ contacts: is === "echo" ? null : contactsOf(part) }),
    ...(isCopy ? { standby: { [list]: [item] } } : { [list]: [item] }),
  };
  return envelopeOf(isCopy ? STANDBY_FIELD : field, value, { id: part.providerAccountId });
}

function itemOf(part: WrittenPart): Fields {
  const { is, message } = part;
  if (message) return messageOf(part, message);
  if (typeof is !== "string" && "callEvent" in is) return callOf(part);
  return typeof is !== "string" && "preference" in is ? preferenceOf(part, is.preference) : statusOf(part);
}

function placeOf(is: PartKind): { field: string; list: string } {
  if (is === "message") return { field: "messages", list: "messages" };
  if (is === "echo") return { field: "smb_message_echoes", list: "message_echoes" };
  if ("callEvent" in is) return { field: "calls", list: "calls" };
  if ("preference" in is) return { field: "user_preferences", list: "user_preferences" };
  return { field: "callStatus" in is ? "calls" : "messages", list: "statuses" };
}

function contactsOf({ person }: WrittenPart): Fields[] | null {
  const { name, phone, userId } = person;
  if (phone === null && userId === null) return null;
  return [present({ profile: name === null ? null : { name }, wa_id: digitsOf(phone), user_id: userId })];
}

function messageOf(part: WrittenPart, message: NonNullable<WrittenPart["message"]>): Fields {
  const { providerId: id, is, person, businessPhone } = part;
  const { type, content, context, referral, errors, groupId, fields } = message;
  // Of a type that is not known the whole message was kept.
  const whole = asRecord(content);
  if (whole?.["id"] === id) return whole;
  const { contact: _contact, contacts: _contacts, conversation_context: _summary, ...more } = fields;
  const names =
    is === "echo"
      ? { from: digitsOf(businessPhone), to: digitsOf(person.phone), to_user_id: person.userId }
      : { from: digitsOf(person.phone), from_user_id: person.userId };
  return present({
    ...names,
    id,
    timestamp: secondsOf(part.at),
    type,
    [type]: content,
    context,
    referral,
    errors,
    group_id: groupId,
    ...more,
  });
}

function callOf({ call, at, person, businessPhone }: WrittenPart): Fields {
  const isByBusiness = call?.direction?.toUpperCase() === "BUSINESS_INITIATED";
  const [of, business] = [digitsOf(person.phone), digitsOf(businessPhone)];
  const names = isByBusiness
    ? { from: business, to: of, to_user_id: person.userId }
    : { from: of, to: business, from_user_id: person.userId };
  return present({ ...call, ...names, timestamp: secondsOf(at) });
}

function preferenceOf({ person, fields, at }: WrittenPart, value: string): Fields {
  const names = present({ wa_id: digitsOf(person.phone), user_id: person.userId });
  return { ...names, ...fields, category: "marketing_messages", value, timestamp: Math.floor(at / 1_000) };
}

/** What began with the owner that there is now. */
const HANDED = { self: "control_passed", other: "control_taken", none: "control_released" } as const;

function writeHandover(
  { person, businessPhone, providerPhoneNumberId, providerAccountId, at }: WrittenPart,
  owner: keyof typeof HANDED,
): PartEnvelope {
  const type = HANDED[owner];
  const value = {
    messaging_product: "whatsapp",
    sender: present({ phone_number: digitsOf(person.phone), user_id: person.userId }),
    recipient: present({ phone_number_id: providerPhoneNumberId, display_phone_number: digitsOf(businessPhone) }),
    type,
    timestamp: secondsOf(at),
    [type]: {},
  };
  return envelopeOf(HANDOVER_FIELD, value, { id: providerAccountId });
}

function statusOf({ providerId: id, is, at, person, error, pricing, clientValue }: WrittenPart): Fields {
  return present({
    id,
    ...wordOf(is),
    timestamp: secondsOf(at),
    recipient_id: digitsOf(person.phone),
    recipient_user_id: person.userId,
    errors: error ? [errorOf(error)] : null,
    pricing,
    biz_opaque_callback_data: clientValue,
  });
}

function wordOf(is: PartKind): Fields {
  if (typeof is === "string") return {};
  if ("payment" in is)
    return {
      type: "payment",
      status: is.payment,
      payment: is.reference === null ? null : { reference_id: is.reference },
    };
  if ("callStatus" in is) return { type: "call", status: is.callStatus };
  return "status" in is ? { status: is.status } : {};
}

const errorOf = ({ code, title, details }: NonNullable<WrittenPart["error"]>): Fields => ({
  code,
  title,
  message: title,
  ...(details === null ? {} : { error_data: { details } }),
});

const secondsOf = (at: number): string => String(Math.floor(at / 1_000));
const digitsOf = (phone: string | null): string | null => phone?.slice(1) ?? null;

/** Without what is not known: the provider leaves it out too. */
const present = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
