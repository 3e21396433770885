import { ControlError } from "./control-error.ts";
import { contactOf, digitsIn, identityOf, isNumberHidden, personIn, senderOf } from "./identity.ts";
import { longFormOf, usualWaId } from "./number-forms.ts";
import { type ReportedUpdate, report } from "./report.ts";
import { isRecord, textOf } from "./shape.ts";
import { metadataOf, type Simulation, timestampOf } from "./simulation.ts";
import { chatWith, type PhoneNumber } from "./world.ts";

/** The customer service window (provider reference 7). */
const WINDOW_MS = 24 * 3_600_000;
const KEPT_TEXT_CHARS = 500;

/**
 * A message from a person, who is named by any form of the number or by a user id: `text` as a string or an object; any other
 * `type` with its object under the same key, or none. `timestamp` is Unix seconds as text, `quotes` the id of the message that
 * it answers. `number_hidden` says for this message whether the number is left out, and with `report: false` the callback is
 * only returned. `id`, `context`, `referral` and further keys go into the message as given.
 */
export type InboundInput = {
  phone_number_id: string;
  from: string;
  type?: string;
  name?: string;
  id?: string;
  timestamp?: string;
  quotes?: string;
  number_hidden?: boolean;
  report?: boolean;
  [key: string]: unknown;
};

/**
 * `wa_id` is the person's, also when the callback hid it; null when only the user id is known. `reported` is false when the
 * account did not subscribe: the window opened all the same. `update` is for `sendUpdate`.
 */
export type InboundResult = {
  id: string;
  wa_id: string | null;
  user_id: string;
  window_expires_at: number;
  reported: boolean;
  update: ReportedUpdate;
};

/** A person writes to a number: the window opens and the callback goes out at once. */
export function receiveInbound(sim: Simulation, number: PhoneNumber, input: InboundInput): InboundResult {
  const { phone_number_id: _number, from, type = "text", name, id, timestamp, quotes, number_hidden, ...more } = input;
  const { report: reporting = true, ...rest } = more;
  const person = personIn(sim, number, from);
  if (name !== undefined) person.name = name;
  const chat = chatWith(number, person);
  // A change of number is reported by the provider, not sent by the person: it opens no window.
  if (type !== "system") {
    chat.windowUntil = Math.max(chat.windowUntil, sim.clock.nowMs() + WINDOW_MS);
    // A number that was left behind has a new holder as soon as a message comes from it.
    person.onWhatsApp = true;
  }
  const hidden = number_hidden ?? isNumberHidden(sim, number, person);
  const identity = identityOf(sim, number, person);
  const message: Record<string, unknown> = {
    ...senderOf(identity, hidden),
    id: id ?? sim.ids.messageId(),
    timestamp: timestamp ?? timestampOf(sim.clock),
    type,
    ...(quotes === undefined ? {} : { context: { from: number.digits, id: quotes } }),
    ...rest,
  };
  if (typeof message["text"] === "string") message["text"] = { body: message["text"] };
  remember(sim, number, { message, type, from: identity.waId ?? identity.userId });
  const value = {
    messaging_product: "whatsapp",
    metadata: metadataOf(number),
    ...(type === "system" ? {} : { contacts: [contactOf(person, identity, hidden)] }),
    messages: [message],
  };
  const update = { waba_id: number.account.id, field: "messages", value };
  return {
    id: String(message["id"]),
    wa_id: identity.waId,
    user_id: identity.userId,
    window_expires_at: chat.windowUntil,
    reported: reporting && report(sim, number.account, update),
    update,
  };
}

/**
 * A person sends a card: the own number, as the answer to a request for it (`contact_request`), or another person's (`other`,
 * with `phone`). `phone` is the number as written on the card, `card_name` the name.
 */
export type ContactCardInput = {
  phone_number_id: string;
  from: string;
  origin: "contact_request" | "other";
  phone?: string;
  card_name?: string;
  name?: string;
  id?: string;
  timestamp?: string;
  quotes?: string;
  number_hidden?: boolean;
  report?: boolean;
};

export function receiveContactCard(sim: Simulation, number: PhoneNumber, input: ContactCardInput): InboundResult {
  const { origin, phone, card_name, ...message } = input;
  const sender = personIn(sim, number, input.from);
  const ownWaId = origin === "contact_request" ? sender.waId : null;
  const written = phone ?? (ownWaId === null ? undefined : `+${ownWaId}`);
  if (written === undefined) throw new ControlError(400, 'the card needs "phone"');
  const formatted_name = card_name ?? (origin === "contact_request" ? (input.name ?? sender.name) : "Bo");
  const digits = digitsIn(written);
  const wa_id = ownWaId ?? sim.world.people.find(digits)?.waId ?? usualWaId(longFormOf(digits));
  const card = {
    name: { formatted_name, first_name: formatted_name },
    phones: [{ phone: written, wa_id, type: "CELL" }],
    origin,
  };
  return receiveInbound(sim, number, { ...message, type: "contacts", contacts: [card] });
}

function remember(
  sim: Simulation,
  number: PhoneNumber,
  { message, type, from }: { message: Record<string, unknown>; type: string; from: string },
): void {
  sim.inbound.add({
    at: performance.timeOrigin + performance.now(),
    id: String(message["id"]),
    phone_number_id: number.id,
    from,
    type,
    text: textOfMessage(message, type).slice(0, KEPT_TEXT_CHARS),
  });
}

function textOfMessage(message: Record<string, unknown>, type: string): string {
  const content = message[type];
  if (!isRecord(content)) return `[${type}]`;
  return textOf(content["body"]) ?? textOf(content["text"]) ?? textOf(content["caption"]) ?? `[${type}]`;
}
