import type { PartEnvelope, WrittenPart } from "../../callback-parts.ts";
import { asRecord } from "../json.ts";
import { escaped } from "../json-text.ts";
import { STANDBY_FIELD } from "./standby.ts";

type Fields = Record<string, unknown>;

/** The envelope of a message or status in the provider's shape, from what is kept of it: for one whose callback is gone. */
export function writeCallback(part: WrittenPart): PartEnvelope {
  const { message, is, isCopy } = part;
  const field = message === null || is === "message" ? "messages" : "smb_message_echoes";
  const list = is === "message" ? "messages" : is === "echo" ? "message_echoes" : "statuses";
  const item = message === null ? statusOf(part) : messageOf(part, message);
  const value = {
    messaging_product: "whatsapp",
    metadata: present({
      display_phone_number: digitsOf(part.businessPhone),
      phone_number_id: part.providerPhoneNumberId,
    }),
    ...present({ contacts: is === "echo" ? null : contactsOf(part) }),
    ...(isCopy ? { standby: { [list]: [item] } } : { [list]: [item] }),
  };
  const shown = isCopy ? STANDBY_FIELD : field;
  const changes = [{ field: shown, value }];
  const envelope = { object: "whatsapp_business_account", entry: [{ id: part.providerAccountId, changes }] };
  return { field: shown, body: Buffer.from(escaped(JSON.stringify(envelope)), "latin1") };
}

function contactsOf({ person }: WrittenPart): Fields[] | null {
  const { name, phone, userId } = person;
  if (phone === null && userId === null) return null;
  return [present({ profile: name === null ? null : { name }, wa_id: digitsOf(phone), user_id: userId })];
}

function messageOf(part: WrittenPart, message: NonNullable<WrittenPart["message"]>): Fields {
  const { providerMessageId: id, is, person, businessPhone } = part;
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

function statusOf({ providerMessageId: id, is, at, person, error, pricing }: WrittenPart): Fields {
  return present({
    id,
    status: typeof is === "string" ? null : is.status,
    timestamp: secondsOf(at),
    recipient_id: digitsOf(person.phone),
    recipient_user_id: person.userId,
    errors: error === null ? null : [errorOf(error)],
    pricing,
  });
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
