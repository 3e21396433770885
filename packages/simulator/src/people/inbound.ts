import { isRecord } from "../lib/shape.ts";
import { spooled } from "../lib/spool.ts";
import { addPersonsFile, withFile } from "../simulation/files.ts";
import { contactOf, digitsIn, identityOf, isNumberHidden, personIn, senderOf } from "../simulation/identity.ts";
import { type ReportedUpdate, report } from "../simulation/report.ts";
import { LOGGED_INBOUND, metadataOf, type Simulation, timestampOf } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import { longFormOf, usualWaId } from "../world/number-forms.ts";
import type { Person } from "../world/people.ts";
import type { InboundEntry } from "../world/received.ts";
import { type Chat, chatWith, type PhoneNumber } from "../world/world.ts";
import { type InboundSample, isAboutOwn, sampleFile, sampleMessage } from "./inbound-samples.ts";
import { ownerOf } from "./threads.ts";

/** The customer service window, and how long an advertisement waits for an answer (provider reference 7). */
const WINDOW_MS = 24 * 3_600_000;
/** Of a message's keys as JSON. A text has at most 4,096 letters. */
const KEPT_CHARS = 32 * 1024;
/** Of the newest sends, how many are looked at for the one that a sample is about. */
const LOOKED_AT = 1000;

/**
 * A message from a person, who is named by any form of the number or by a user id: `text` as a string or an object; any other
 * `type` with its object under the same key, or none. `sample` names one of `INBOUND_SAMPLES`, whose keys are there unless
 * they are given. `timestamp` is Unix seconds as text, `quotes` the id of the message that it answers, or that its sample is
 * about (the last one). `number_hidden` says for this message whether the number is left out, `user_ids: false` leaves out
 * the ids, as before April 2026, `with_contacts` says whether the list of contacts is there (not beside system messages), and with
 * `report: false` the callback is only returned. `standby` says whether it comes as a copy, without it who owns the conversation. `conversation_context` stands beside the message; `id`, `context`, `referral`, `group_id` and further keys go into
 * it as given. The object of a file that `addFile` has put there needs its `id` alone: type, digest and address are added.
 */
export type InboundInput = {
  phone_number_id: string;
  from: string;
  type?: string;
  sample?: InboundSample;
  name?: string;
  id?: string;
  timestamp?: string;
  quotes?: string;
  number_hidden?: boolean;
  user_ids?: boolean;
  with_contacts?: boolean;
  report?: boolean;
  standby?: boolean;
  conversation_context?: Record<string, unknown>;
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
  const person = personIn(sim, number, input.from);
  if (input.name !== undefined) person.name = input.name;
  const { message: content, type } = contentOf(sim, number, person, input);
  const { windowUntil } = noteArrival(sim, number, person, content);
  const hidden = input.number_hidden ?? isNumberHidden(sim, number, person);
  const identity = identityOf(sim, number, person);
  const { from, ...ids } = senderOf(identity, hidden);
  const hasIds = input.user_ids !== false;
  const message: Record<string, unknown> = {
    ...(from === undefined ? {} : { from }),
    ...(hasIds ? ids : {}),
    id: input.id ?? sim.ids.messageId(),
    timestamp: input.timestamp ?? timestampOf(sim.clock),
    ...content,
  };
  remember(sim, number, { message, type, from: identity.waId ?? identity.userId });
  const { user_id, parent_user_id, ...contact } = contactOf(person, identity, hidden);
  const contacts = [
    hasIds ? { ...contact, user_id, ...(parent_user_id === undefined ? {} : { parent_user_id }) } : contact,
  ];
  const isCopy = input.standby ?? ownerOf(sim, chatWith(number, person)) === "other";
  const value = {
    messaging_product: "whatsapp",
    metadata: metadataOf(number),
    ...((input.with_contacts ?? type !== "system") ? { contacts } : {}),
    ...(isCopy ? { standby: { messages: [message] } } : { messages: [message] }),
    ...(input.conversation_context === undefined ? {} : { conversation_context: input.conversation_context }),
  };
  const update = { waba_id: number.account.id, field: isCopy ? "standby" : "messages", value };
  return {
    id: String(message["id"]),
    wa_id: identity.waId,
    user_id: identity.userId,
    window_expires_at: windowUntil,
    reported: input.report !== false && report(sim, number.account, update),
    update,
  };
}

/** Keys of the input that say something else than what the message holds. */
const NOT_CONTENT: ReadonlySet<string> = new Set(
  "phone_number_id from sample name id timestamp quotes number_hidden user_ids with_contacts report standby conversation_context".split(
    " ",
  ),
);

// The sample's keys first, those given above them.
function contentOf(
  sim: Simulation,
  number: PhoneNumber,
  person: Person,
  input: InboundInput,
): { message: Record<string, unknown>; type: string } {
  const { sample, quotes } = input;
  const about = sample === undefined ? undefined : (quotes ?? lastMessage(sim, number, person, isAboutOwn(sample)));
  const given = Object.fromEntries(Object.entries(input).filter(([key]) => !NOT_CONTENT.has(key)));
  const message: Record<string, unknown> = {
    type: "text",
    ...(sample === undefined ? {} : sampleMessage(sample, about ?? "wamid.UNKNOWN", person.waId)),
    ...(quotes === undefined || sample !== undefined ? {} : { context: { id: quotes } }),
    ...given,
  };
  bringFile(sim, number, message, sample);
  const { context, text } = message;
  // A quoted message is the business's; what is given stays as it is.
  if (context !== given["context"] && isRecord(context) && context["id"] !== undefined)
    message["context"] = { from: number.digits, ...context };
  if (typeof text === "string") message["text"] = { body: text };
  return { message, type: String(message["type"]) };
}

/** A sample of media has a file of its own, unless one is named; what is said of a file that is there is completed. */
function bringFile(
  sim: Simulation,
  number: PhoneNumber,
  message: Record<string, unknown>,
  sample?: InboundSample,
): void {
  const object = message[String(message["type"])];
  const file = sample === undefined ? undefined : sampleFile(sample);
  if (file !== undefined && isRecord(object) && object["id"] === undefined) {
    object["id"] = addPersonsFile(sim, number, { mimeType: file.mimeType, content: spooled(file.bytes) }).id;
  }
  withFile(sim, number, message);
}

function lastMessage(sim: Simulation, number: PhoneNumber, person: Person, own: boolean): string | undefined {
  const { people } = sim.world;
  const isPerson = (id: string | null) =>
    id !== null && (people.find(id) === person || id === identityOf(sim, number, person).userId);
  const mine = sim.inbound.read(0, LOGGED_INBOUND, (one) => one.phone_number_id === number.id && isPerson(one.from));
  if (own) return mine.data.at(-1)?.id;
  const since = Math.max(0, sim.sent.total - LOOKED_AT);
  const theirs = sim.sent.read(
    since,
    LOOKED_AT,
    (one) => one.phone_number_id === number.id && isPerson(one.wa_id ?? one.user_id),
  );
  return theirs.data.findLast((one) => one.accepted && one.type !== "read")?.id ?? undefined;
}

// A change of number is reported by the provider, not sent by the person, and a group is not the chat: no window opens.
function noteArrival(sim: Simulation, number: PhoneNumber, person: Person, content: Record<string, unknown>): Chat {
  const chat = chatWith(number, person);
  if (content["type"] === "system" || content["group_id"] !== undefined) return chat;
  const now = sim.clock.nowMs();
  // The app is the primary responder of a conversation without an owner.
  chat.owner = ownerOf(sim, chat) ?? "self";
  chat.windowUntil = Math.max(chat.windowUntil, now + WINDOW_MS);
  const { referral } = content;
  if (referral !== undefined) {
    chat.referredUntil = now + WINDOW_MS;
    chat.referredByAd = isRecord(referral) && referral["source_type"] === "ad";
  }
  // A number that was left behind has a new holder as soon as a message comes from it.
  person.onWhatsApp = true;
  return chat;
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
  const entry: InboundEntry = {
    at: performance.timeOrigin + performance.now(),
    id: String(message["id"]),
    phone_number_id: number.id,
    from,
    type,
    message: JSON.stringify(message).length <= KEPT_CHARS ? message : null,
    read: false,
  };
  sim.inbound.add(entry);
  sim.news.report({ kind: "inbound", entry });
}
