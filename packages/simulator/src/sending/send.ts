import { requireRegistered } from "../accounts/registration.ts";
import { isRecord, textOf } from "../lib/shape.ts";
import { checkOwner } from "../people/threads.ts";
import { GraphError, refusal } from "../protocol/error.ts";
import { identityOf } from "../simulation/identity.ts";
import { hasOptional, type Simulation } from "../simulation/simulation.ts";
import { acceptsMessage, type Behaviour } from "../world/behaviour.ts";
import { digitsOf } from "../world/number-forms.ts";
import type { Person } from "../world/people.ts";
import { pairAllows, pairDebtAfter } from "../world/rates.ts";
import { scenarioFor } from "../world/scenarios.ts";
import type { AcceptedMessage, SentEntry } from "../world/sent.ts";
import type { Template } from "../world/template.ts";
import { isUserId } from "../world/user-ids.ts";
import { type Chat, chatWith, type PhoneNumber } from "../world/world.ts";
import { checkFiles } from "./files-of-send.ts";
import { checkContent, checkEnvelope } from "./message-content.ts";
import { priceOf, takeCharge } from "./pricing.ts";
import { takeReach } from "./reach.ts";
import { openEntry } from "./sent-entry.ts";
import { scheduleStatuses } from "./statuses.ts";
import { sentTemplate } from "./template-of-send.ts";

/** How a request ends: with an answer, perhaps late, or without one. */
export type SendAnswer =
  | { kind: "json"; httpStatus: number; body: unknown; delayMs: number }
  | { kind: "html"; httpStatus: number; delayMs: number }
  | { kind: "hang" }
  | { kind: "reset"; delayMs: number };

/** A message is accepted and fails later: outside the window, without an account, at the user's stop (provider reference 2.4). */
const OUTSIDE_WINDOW = 131047;
const NOT_ON_WHATSAPP = 131026;
const MARKETING_STOPPED = 131050;
const NO_SUCH_MESSAGE = 131009;
const EARLY_ANSWER_MS = 1000;

/** Whom a message is for: by number (`waId`) or by user id, and `gone` when no person has it. */
type Addressee = { person: Person; waId: string | null; gone: boolean };

/**
 * One request to `/{phone-number-id}/messages`: checks it as the provider does, accepts it or not, and plans its
 * statuses. Every request leaves an entry in `sim.sent`, refused ones too.
 */
export function handleSend(sim: Simulation, number: PhoneNumber, body: unknown, arrivedAt: number): SendAnswer {
  const entry = openEntry(sim, number, body, arrivedAt);
  try {
    if (!isRecord(body)) throw refusal(100, "The request has no body.");
    if (body["status"] != null) return markRead(sim, number, entry, body);
    return send(sim, number, entry, body);
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
    return refuse(sim, entry, error);
  } finally {
    for (const run of sim.onRequest) run();
    sim.news.report({ kind: "sent", entry });
  }
}

function send(sim: Simulation, number: PhoneNumber, entry: SentEntry, body: Record<string, unknown>): SendAnswer {
  const { lock } = number.account;
  if (lock !== null) throw refusal(lock, "The account may not send messages.");
  requireRegistered(number);
  const type = checkEnvelope(body);
  const addressee = addresseeOf(sim, number, body);
  const { person, waId } = addressee;
  entry.wa_id = waId;
  entry.user_id = waId === null ? entry.to : null;
  entry.type = type;
  const template = type === "template" ? sentTemplate(number, body["template"], sim.clock.nowMs()) : null;
  if (template === null) checkContent(type, body);
  else if (waId === null && needsNumber(template)) {
    throw refusal(131062, "One-tap, zero-tap and copy-code authentication templates need a phone number.");
  }

  const wrongFile = checkFiles(sim, number, body);
  const { allowedRecipients } = sim.settings;
  if (allowedRecipients !== null && !allowedRecipients.includes((entry.to ?? "").replace(/\D/g, "")))
    throw refusal(131030, "Recipient phone number not in allowed list");

  const isMeant = (recipient: string) => recipient === entry.to || sim.world.people.find(recipient) === person;
  const behaviour = sim.faults.take(number.id, isMeant) ?? scenarioFor(person.waId ?? "")?.behaviour;
  entry.behaviour = behaviour?.kind ?? null;
  if (behaviour?.kind === "refuse") {
    const more = behaviour.httpStatus === undefined ? {} : { httpStatus: behaviour.httpStatus };
    return refuse(sim, entry, refusal(behaviour.code ?? 131000, "Injected.", more), behaviour.delayMs);
  }
  if (behaviour !== undefined && !acceptsMessage(behaviour)) return answerOf(entry, behaviour, null);

  const chat = chatWith(number, person);
  const failure =
    failureOf(sim, { addressee, chat, template }) ??
    (type === "reaction" ? missedTarget(sim, number, body) : null) ??
    wrongFile;
  if (failure === OUTSIDE_WINDOW && sim.settings.outsideWindow === "refused") {
    throw refusal(OUTSIDE_WINDOW, "More than 24 hours have passed since the customer last replied to this number.");
  }
  if (template === null && failure === null) checkOwner(sim, chat);
  // What is refused takes nothing of any limit: the rates are looked at first, and taken after the last refusal.
  const now = performance.now();
  checkRates(sim, { number, chat, now });
  if (template !== null && failure === null && behaviour?.kind !== "fail") takeReach(sim, number, person, chat);
  number.recentSends.record(now);
  chat.pairPaidAt = pairDebtAfter(chat.pairPaidAt, now);
  const message = accept(sim, { number, entry, template, addressee, chat });
  planStatuses(sim, message, behaviour, failure);
  const hasStatus = template !== null && hasOptional(sim, true);
  return answerOf(entry, behaviour, acceptedBody(body, waId, message.id, hasStatus));
}

// With both, `to` wins (documentation of business-scoped user ids).
function addresseeOf(sim: Simulation, number: PhoneNumber, body: Record<string, unknown>): Addressee {
  // A null is as good as nothing, here as in every field.
  const to = body["to"] ?? undefined;
  if (to === undefined && body["recipient"] != null) return addresseeById(sim, number, body["recipient"]);
  if (to === undefined || to === "") throw refusal(131008, "The parameter to is required.");
  if (typeof to !== "string") throw refusal(131009, `Param to must be of type string, got ${typeof to}.`);
  const digits = digitsOf(to);
  if (digits === undefined) throw refusal(131009, "Param to is not a valid phone number.");
  if (digits === number.digits) throw refusal(131021, "Sender and recipient phone number is the same.");
  const person = sim.world.people.reach(digits);
  return { person, waId: person.waId ?? digits, gone: !person.onWhatsApp };
}

function addresseeById(sim: Simulation, number: PhoneNumber, recipient: unknown): Addressee {
  const userId = textOf(recipient);
  if (userId === undefined || !isUserId(userId)) throw refusal(131009, "Param recipient is not a user id.");
  const { businessId } = number.account;
  const use = sim.world.people.byUserId(businessId, userId);
  if (use?.state === "foreign") throw refusal(131009, "Param recipient is a user id of another business portfolio.");
  const person = use?.person ?? sim.world.people.adopt(businessId, userId);
  return { person, waId: null, gone: !person.onWhatsApp || use?.state === "retired" };
}

/** Whether the template fills in or copies a code on the device of the number (documentation of business-scoped user ids). */
function needsNumber(template: Template): boolean {
  return template.category.toUpperCase() === "AUTHENTICATION" && template.shape.buttons.length > 0;
}

/** The code that an accepted message will fail with, or null. */
function failureOf(
  sim: Simulation,
  { addressee, chat, template }: { addressee: Addressee; chat: Chat; template: Template | null },
): number | null {
  const outside = template === null && chat.windowUntil <= sim.clock.nowMs();
  if (outside && sim.settings.outsideWindow !== "allowed") return OUTSIDE_WINDOW;
  if (addressee.gone) return NOT_ON_WHATSAPP;
  if (chat.marketingStopped && template?.category.toUpperCase() === "MARKETING") return MARKETING_STOPPED;
  return null;
}

/** A reaction to a message that is not in a chat of this number is accepted and fails later (provider reference 1.3). */
function missedTarget(sim: Simulation, number: PhoneNumber, { reaction }: Record<string, unknown>): number | null {
  const target = isRecord(reaction) ? reaction["message_id"] : undefined;
  const isTarget = (entry: { id: string | null; phone_number_id: string }) =>
    entry.id === target && entry.phone_number_id === number.id;
  const found = [sim.inbound.read(0, 1, isTarget), sim.sent.read(0, 1, isTarget)].some(({ data }) => data.length > 0);
  return found ? null : NO_SUCH_MESSAGE;
}

function checkRates(sim: Simulation, { number, chat, now }: { number: PhoneNumber; chat: Chat; now: number }): void {
  if (sim.settings.throughputLimit && !number.recentSends.allows(now)) throw refusal(130429, "Throughput reached.");
  if (sim.settings.pairLimit && !pairAllows(chat.pairPaidAt, now)) {
    throw refusal(
      131056,
      "Too many messages sent from this phone number to the same recipient in a short period of time.",
    );
  }
}

function accept(
  sim: Simulation,
  sent: { number: PhoneNumber; entry: SentEntry; template: Template | null; addressee: Addressee; chat: Chat },
): AcceptedMessage {
  const { number, entry, template, chat } = sent;
  const { person, waId } = sent.addressee;
  const now = sim.clock.nowMs();
  entry.accepted = true;
  entry.id = sim.ids.messageId();
  sim.counts.accepted += 1;
  if (waId !== null) chat.numberUsedAt = now;
  // Who writes freely in a conversation owns it (documentation of conversation routing).
  if (template === null) chat.owner = "self";
  const charge = takeCharge(sim, { template, type: entry.type ?? "text", chat });
  entry.pricing = priceOf(sim, number, charge, now);
  sim.charges.set(entry, charge);
  return {
    number,
    entry,
    id: entry.id,
    person,
    identity: identityOf(sim, number, person),
    byUserId: waId === null,
    opaque: entry.opaque,
    charge,
    isUnpaid: false,
    confirmedBy: null,
  };
}

function planStatuses(
  sim: Simulation,
  message: AcceptedMessage,
  behaviour: Behaviour | undefined,
  failure: number | null,
): void {
  if (failure !== null) return scheduleStatuses(sim, message, { statuses: ["failed"], code: failure });
  if (behaviour?.kind === "fail") return scheduleStatuses(sim, message, { statuses: ["failed"], code: behaviour.code });
  scheduleStatuses(sim, message, {
    // Nothing more is ever reported of a reaction.
    statuses: behaviour?.statuses ?? (message.entry.type === "reaction" ? ["sent"] : undefined),
    code: behaviour?.code,
    atOnce: behaviour?.kind === "early",
  });
}

function acceptedBody(
  body: Record<string, unknown>,
  waId: string | null,
  id: string,
  hasStatus: boolean,
): Record<string, unknown> {
  const contact =
    waId === null ? { input: body["recipient"], user_id: body["recipient"] } : { input: body["to"], wa_id: waId };
  return {
    messaging_product: "whatsapp",
    contacts: [contact],
    messages: [hasStatus ? { id, message_status: "accepted" } : { id }],
  };
}

function answerOf(entry: SentEntry, behaviour: Behaviour | undefined, accepted: unknown): SendAnswer {
  const delayMs = behaviour?.delayMs ?? (behaviour?.kind === "early" ? EARLY_ANSWER_MS : 0);
  if (behaviour?.kind === "hang") return { kind: "hang" };
  if (behaviour?.kind === "reset") return { kind: "reset", delayMs };
  entry.http_status = behaviour?.kind === "html" ? (behaviour.httpStatus ?? 502) : 200;
  if (behaviour?.kind === "html") return { kind: "html", httpStatus: entry.http_status, delayMs };
  const body = behaviour?.kind === "no_id" ? { messaging_product: "whatsapp", messages: [] } : accepted;
  return { kind: "json", httpStatus: 200, body, delayMs };
}

function markRead(sim: Simulation, number: PhoneNumber, entry: SentEntry, body: Record<string, unknown>): SendAnswer {
  entry.type = "read";
  const id = textOf(body["message_id"]);
  if (body["messaging_product"] !== "whatsapp" || body["status"] !== "read" || id === undefined) {
    throw refusal(100, 'Param status must be "read" and message_id the id of a message you received.');
  }
  const known = sim.inbound.read(0, 1, (inbound) => inbound.id === id && inbound.phone_number_id === number.id);
  const [inbound] = known.data;
  if (inbound === undefined) throw refusal(131009, "Message id is not valid: no such message was received.");
  const typing = body["typing_indicator"] ?? undefined;
  if (typing !== undefined && (!isRecord(typing) || typing["type"] !== "text"))
    throw refusal(100, "Param typing_indicator['type'] must be one of {TEXT}.");
  entry.id = id;
  const { people } = sim.world;
  const isMeant = (recipient: string) =>
    recipient === inbound.from || people.find(recipient) === people.find(inbound.from);
  const behaviour = sim.faults.take(number.id, isMeant);
  entry.behaviour = behaviour?.kind ?? null;
  if (behaviour?.kind === "refuse") {
    const more = behaviour.httpStatus === undefined ? {} : { httpStatus: behaviour.httpStatus };
    return refuse(sim, entry, refusal(behaviour.code ?? 131000, "Injected.", more), behaviour.delayMs);
  }
  inbound.read = true;
  sim.news.report({ kind: "inbound", entry: inbound });
  return answerOf(entry, behaviour, { success: true });
}

function refuse(sim: Simulation, entry: SentEntry, error: GraphError, delayMs = 0): SendAnswer {
  entry.http_status = error.httpStatus;
  entry.code = error.code;
  sim.counts.refused[error.code] = (sim.counts.refused[error.code] ?? 0) + 1;
  return { kind: "json", httpStatus: error.httpStatus, body: error.body, delayMs };
}
