import { isRecord } from "../lib/shape.ts";
import { statusError } from "../protocol/error.ts";
import { chargeOf } from "../sending/pricing.ts";
import { statusOf } from "../sending/statuses.ts";
import { contactOf, identityOf, isNumberHidden, personIn, senderOf } from "../simulation/identity.ts";
import { type Reported, reportOrReturn } from "../simulation/report.ts";
import { metadataOf, numberValue, type Simulation, timestampOf } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import type { AcceptedMessage, SentEntry } from "../world/sent.ts";
import type { StatusName } from "../world/settings.ts";
import { chatWith, type PhoneNumber } from "../world/world.ts";

/**
 * A status of a message, at any time and in any order. Of one that was not sent here, as those of another system that shares the
 * number, `phone_number_id` and `person` say where it belongs. `timestamp` is Unix seconds as text; `code` that of `failed`
 * (131000). With `group_id` the person is one participant of the group. Further keys go into the status as given.
 */
export type StatusInput = {
  id: string;
  status: StatusName;
  phone_number_id?: string;
  person?: string;
  code?: number;
  timestamp?: string;
  group_id?: string;
  report?: boolean;
  [key: string]: unknown;
};

export function reportStatus(sim: Simulation, number: PhoneNumber, input: StatusInput): Reported {
  const { id, status: name, code, timestamp = timestampOf(sim.clock), group_id, report: reporting } = input;
  const { phone_number_id: _number, person: _person, ...given } = input;
  const message = messageOf(sim, number, input);
  const due = { message, status: name, code: name === "failed" ? (code ?? 131000) : null };
  const { status, contact } = statusOf(sim, due, timestamp);
  const more: Record<string, unknown> = { ...given, id, status: name, timestamp };
  for (const key of ["code", "group_id", "report"]) delete more[key];
  const value = {
    messaging_product: "whatsapp",
    metadata: metadataOf(number),
    ...(contact === null ? {} : { contacts: [contact] }),
    statuses: [{ ...(group_id === undefined ? status : inGroup(status, group_id)), ...more }],
  };
  message.entry.status = name;
  sim.news.report({ kind: "sent", entry: message.entry });
  sim.counts.statuses += 1;
  return reportOrReturn(sim, number.account, { field: "messages", value, report: reporting });
}

function inGroup(status: Record<string, unknown>, groupId: string): Record<string, unknown> {
  const { recipient_id, recipient_user_id, recipient_parent_user_id: _parent, ...rest } = status;
  return {
    ...rest,
    recipient_id: groupId,
    recipient_type: "group",
    ...(recipient_id === undefined ? {} : { recipient_participant_id: recipient_id }),
    ...(recipient_user_id === undefined ? {} : { recipient_participant_user_id: recipient_user_id }),
  };
}

/** The number that a message was sent from, or the one that is named. */
export function numberOfStatus(
  sim: Simulation,
  { id, phone_number_id }: { id: string; phone_number_id?: string },
): string {
  const number = phone_number_id ?? sentEntry(sim, id)?.phone_number_id;
  if (number === undefined)
    throw new ControlError(400, `message ${id} was not sent here: its status needs "phone_number_id" and "person"`);
  return number;
}

const sentEntry = (sim: Simulation, id: string): SentEntry | undefined =>
  sim.sent.read(0, 1, (entry) => entry.id === id && entry.type !== "read").data[0];

/** What is needed of a message is found again: it is kept only until its usual statuses are out. */
export function messageOf(
  sim: Simulation,
  number: PhoneNumber,
  { id, person: written }: { id: string; person?: string },
): AcceptedMessage {
  const entry = sentEntry(sim, id);
  const addressee = written ?? entry?.wa_id ?? entry?.user_id;
  if (addressee == null) throw new ControlError(400, `message ${id} was not sent here: its status needs "person"`);
  const person = personIn(sim, number, addressee);
  const identity = identityOf(sim, number, person);
  const template = entry?.template ?? null;
  const templates = [...number.account.templates.values()];
  const category = template === null ? null : (templates.find(({ name }) => name === template)?.category ?? "UTILITY");
  return {
    number,
    // Of a message that is not known nothing is remembered.
    entry: entry ?? ({ status: null, code: null, pricing: null, delivered_at: null } as SentEntry),
    id,
    person,
    identity,
    byUserId: entry?.wa_id == null && (entry !== undefined || identity.waId === null),
    opaque: entry?.opaque ?? null,
    charge:
      (entry === undefined ? undefined : sim.charges.get(entry)) ??
      chargeOf(sim, category, entry?.type ?? "text", chatWith(number, person)),
    isUnpaid: false,
    confirmedBy: null,
  };
}

/** Errors of a number, beside neither messages nor statuses; 130429 unless they are given. */
export type ErrorsInput = { phone_number_id: string; code?: number; errors?: readonly unknown[]; report?: boolean };

export function reportErrors(sim: Simulation, number: PhoneNumber, input: ErrorsInput): Reported {
  const { href: _none, ...error } = statusError(input.code ?? 130429);
  const value = { ...numberValue(number), errors: input.errors ?? [error] };
  return reportOrReturn(sim, number.account, { field: "messages", value, report: input.report });
}

/**
 * An event of a call. A person's call opens the window, as a message does; `from_business`: the business calls. What `connect` and
 * `terminate` always have (`session`; `status`, and the times of a call that took place) is there unless it is given. Without an `event` a
 * `status` of RINGING, ACCEPTED or REJECTED is what became of a call of the business. `errors` stand beside it; further keys go into the
 * call as given.
 */
export type CallInput = {
  phone_number_id: string;
  person: string;
  from_business?: boolean;
  event?: string;
  id?: string;
  timestamp?: string;
  errors?: readonly unknown[];
  report?: boolean;
  [key: string]: unknown;
};

const STATUSES_OF_CALLS: readonly unknown[] = ["RINGING", "ACCEPTED", "REJECTED"];

const WINDOW_MS = 24 * 3_600_000;

export function reportCall(sim: Simulation, number: PhoneNumber, input: CallInput): Reported & { id: string } {
  if (input.event === undefined && STATUSES_OF_CALLS.includes(input["status"]))
    return reportCallStatus(sim, number, input);
  const { phone_number_id: _number, person: written, from_business = false, event = "connect", ...more } = input;
  const { id = callId(sim), timestamp, errors, report: reporting, ...given } = more;
  const person = personIn(sim, number, written);
  const identity = identityOf(sim, number, person);
  const hidden = isNumberHidden(sim, number, person);
  const sender = senderOf(identity, hidden);
  const { from, from_user_id, from_parent_user_id: _parent } = sender;
  if (!from_business && event === "connect") {
    const chat = chatWith(number, person);
    chat.windowUntil = Math.max(chat.windowUntil, sim.clock.nowMs() + WINDOW_MS);
  }
  const at = timestamp ?? timestampOf(sim.clock);
  const call = {
    id,
    ...(from_business
      ? { from: number.digits, ...(from === undefined ? {} : { to: from }), to_user_id: from_user_id }
      : { ...sender, to: number.digits }),
    event,
    timestamp: at,
    direction: from_business ? "BUSINESS_INITIATED" : "USER_INITIATED",
    ...partsOfCall(event, { at, from_business, given }),
    ...given,
  };
  const contacts = [contactOf(person, identity, hidden)];
  const value = { ...numberValue(number), contacts, calls: [call], ...(errors === undefined ? {} : { errors }) };
  return { id, ...reportOrReturn(sim, number.account, { field: "calls", value, report: reporting }) };
}

const callId = (sim: Simulation): string => sim.ids.messageId().replace("wamid.", "wacid.");

function reportCallStatus(sim: Simulation, number: PhoneNumber, input: CallInput): Reported & { id: string } {
  const { phone_number_id: _number, person: written, from_business: _always, ...more } = input;
  const { id = callId(sim), timestamp = timestampOf(sim.clock), errors, report: reporting, ...given } = more;
  const person = personIn(sim, number, written);
  const identity = identityOf(sim, number, person);
  const hidden = isNumberHidden(sim, number, person);
  const { from, from_user_id, from_parent_user_id } = senderOf(identity, hidden);
  const names = sim.settings.statusContacts || from === undefined;
  const status = {
    id,
    type: "call",
    timestamp,
    ...(from === undefined ? {} : { recipient_id: from }),
    ...(names ? { recipient_user_id: from_user_id } : {}),
    ...(names && from_parent_user_id !== undefined ? { recipient_parent_user_id: from_parent_user_id } : {}),
    ...given,
  };
  const contacts = sim.settings.statusContacts ? { contacts: [contactOf(person, identity, hidden)] } : {};
  const value = {
    ...numberValue(number),
    ...contacts,
    statuses: [status],
    ...(errors === undefined ? {} : { errors }),
  };
  return { id, ...reportOrReturn(sim, number.account, { field: "calls", value, report: reporting }) };
}

/** What the event of a call has by its kind; throws for a part that is given in another shape than the provider's. */
function partsOfCall(
  event: string,
  { at, from_business, given }: { at: string; from_business: boolean; given: Record<string, unknown> },
): Record<string, unknown> {
  if (event === "connect") {
    const { session } = given;
    const isSession =
      isRecord(session) && SDP_TYPES.includes(session["sdp_type"]) && typeof session["sdp"] === "string";
    if (session !== undefined && !isSession)
      throw new ControlError(
        400,
        `the session of a call is an object with "sdp_type" (${SDP_TYPES.join(", ")}) and "sdp"`,
      );
    return { session: { sdp_type: from_business ? "answer" : "offer", sdp: "v=0\r\n" } };
  }
  if (event !== "terminate") return {};
  const { status = "COMPLETED", duration = 0 } = given;
  if (!ENDS_OF_CALLS.includes(status))
    throw new ControlError(400, `the "status" of a call that ended is one of ${ENDS_OF_CALLS.join(", ")}`);
  if (!Number.isInteger(duration) || Number(duration) < 0)
    throw new ControlError(400, 'the "duration" of a call is a number of whole seconds');
  if (status !== "COMPLETED") return { status };
  return { status, start_time: String(Number(at) - Number(duration)), end_time: at, duration };
}

const SDP_TYPES: readonly unknown[] = ["offer", "answer"];
const ENDS_OF_CALLS: readonly unknown[] = ["COMPLETED", "FAILED"];
