import { withFile } from "../simulation/files.ts";
import { contactOf, identityOf, isNumberHidden, personIn } from "../simulation/identity.ts";
import { type Reported, reportOrReturn } from "../simulation/report.ts";
import { numberValue, type Simulation, timestampOf } from "../simulation/simulation.ts";
import type { PhoneNumber } from "../world/world.ts";

// What a number reports that is used in the WhatsApp Business app, too (provider reference 3.8).

/**
 * A message that the owner sent from the phone. `text` is a string or an object; any other `type` (edit and revoke among them)
 * has its object under the same key. `field` is `smb_message_echoes` unless it is `message_echoes`, of another app. `with_contacts` and
 * `user_ids` say whether the person is named beside it and by user id: by default as the setting `statusContacts` says.
 */
export type EchoInput = {
  phone_number_id: string;
  to: string;
  type?: string;
  id?: string;
  timestamp?: string;
  field?: "smb_message_echoes" | "message_echoes";
  with_contacts?: boolean;
  user_ids?: boolean;
  report?: boolean;
  [key: string]: unknown;
};

export function reportEcho(sim: Simulation, number: PhoneNumber, input: EchoInput): Reported & { id: string } {
  const { phone_number_id: _number, to, type = "text", id = sim.ids.messageId(), timestamp, field, ...more } = input;
  const { statusContacts } = sim.settings;
  const { report: reporting, with_contacts = statusContacts, user_ids = statusContacts, ...given } = more;
  const person = personIn(sim, number, to);
  const identity = identityOf(sim, number, person);
  const { userId, parentUserId } = identity;
  const echo: Record<string, unknown> = {
    from: number.digits,
    to: nameOf(sim, number, to),
    ...(user_ids ? { to_user_id: userId } : {}),
    ...(user_ids && parentUserId !== null ? { to_parent_user_id: parentUserId } : {}),
    id,
    timestamp: timestamp ?? timestampOf(sim.clock),
    type,
    ...given,
  };
  if (typeof echo["text"] === "string") echo["text"] = { body: echo["text"] };
  withFile(sim, number, echo);
  const contacts = [contactOf(person, identity, isNumberHidden(sim, number, person))];
  const value = { ...numberValue(number), ...(with_contacts ? { contacts } : {}), message_echoes: [echo] };
  return {
    id,
    ...reportOrReturn(sim, number.account, { field: field ?? "smb_message_echoes", value, report: reporting }),
  };
}

/** `by_person` false: the owner wrote it. `status` is that of `history_context`. Further keys as given. */
export type HistoryMessage = {
  by_person?: boolean;
  id?: string;
  timestamp?: string;
  type?: string;
  status?: "DELIVERED" | "ERROR" | "PENDING" | "PLAYED" | "READ" | "SENT";
  [key: string]: unknown;
};

/**
 * One part of a history: the `threads` with people and their messages (a question and an answer). `phase` is 0, 1 or 2,
 * `progress` how much is there in percent. `declined`: the owner shares none, and nothing but that is said.
 */
export type HistoryInput = {
  phone_number_id: string;
  threads?: readonly { person: string; messages?: readonly HistoryMessage[] }[];
  phase?: number;
  chunk_order?: number;
  progress?: number;
  declined?: boolean;
  report?: boolean;
};

const USUAL_THREAD: readonly HistoryMessage[] = [
  { text: "Is it open today?", status: "READ" },
  { text: "Until six.", status: "DELIVERED", by_person: false },
];

export function reportHistory(sim: Simulation, number: PhoneNumber, input: HistoryInput): Reported {
  const { threads = [], phase = 0, chunk_order = 1, progress = 100, declined, report: reporting } = input;
  const part =
    declined === true
      ? { errors: [{ code: 2593109, title: "History declined", message: "History declined" }] }
      : { metadata: { phase, chunk_order, progress }, threads: threads.map((thread) => threadOf(sim, number, thread)) };
  return reportOrReturn(sim, number.account, {
    field: "history",
    value: { ...numberValue(number), history: [part] },
    report: reporting,
  });
}

function threadOf(
  sim: Simulation,
  number: PhoneNumber,
  { person, messages = USUAL_THREAD }: { person: string; messages?: readonly HistoryMessage[] },
): Record<string, unknown> {
  const name = nameOf(sim, number, person);
  return { id: name, messages: messages.map((message) => historyMessage(sim, number, name, message)) };
}

function historyMessage(
  sim: Simulation,
  number: PhoneNumber,
  person: string,
  { by_person = true, id, timestamp, type = "text", status = "READ", ...given }: HistoryMessage,
): Record<string, unknown> {
  const message: Record<string, unknown> = {
    ...(by_person ? { from: person } : { from: number.digits, to: person }),
    id: id ?? sim.ids.messageId(),
    timestamp: timestamp ?? timestampOf(sim.clock),
    type,
    ...given,
    history_context: { status },
  };
  if (typeof message["text"] === "string") message["text"] = { body: message["text"] };
  return message;
}

/** Entries of the owner's address book that were added, changed or removed; `timestamp` is Unix seconds as text. */
export type AppStateInput = {
  phone_number_id: string;
  contacts: readonly { person: string; full_name?: string; first_name?: string; action?: "add" | "remove" }[];
  timestamp?: string;
  report?: boolean;
};

export function reportAppState(sim: Simulation, number: PhoneNumber, input: AppStateInput): Reported {
  const timestamp = input.timestamp ?? timestampOf(sim.clock);
  const state_sync = input.contacts.map(({ person, full_name, first_name, action = "add" }) => {
    const { name } = personIn(sim, number, person);
    const phone_number = nameOf(sim, number, person);
    // A removed entry is only named.
    const names = { full_name: full_name ?? name, first_name: first_name ?? (full_name ?? name).split(" ")[0] };
    const contact = action === "remove" ? { phone_number } : { ...names, phone_number };
    return { type: "contact", contact, action, metadata: { timestamp } };
  });
  const value = { ...numberValue(number), state_sync };
  return reportOrReturn(sim, number.account, { field: "smb_app_state_sync", value, report: input.report });
}

// The number, or the user id of a person whose number is not known.
function nameOf(sim: Simulation, number: PhoneNumber, written: string): string {
  const { waId, userId } = identityOf(sim, number, personIn(sim, number, written));
  return waId ?? userId;
}
