import { refusal } from "../protocol/error.ts";
import { identityOf, isNumberHidden, personIn } from "../simulation/identity.ts";
import { type Reported, reportOrReturn } from "../simulation/report.ts";
import { numberValue, type Simulation, timestampOf } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import type { StatusName } from "../world/settings.ts";
import { type Chat, chatWith, type PhoneNumber } from "../world/world.ts";

// Conversations of a number with two responders: the app, and another one (documentation of conversation routing).

/**
 * What the other responder does: it takes the conversation, passes or releases it, writes (`text`, or any `type` with its object under
 * the same key, as it was requested), or gets a `status` of the message `id`. Its taking is reported to the app that had the
 * conversation, and its passing to the app that gets it. `report: false` only returns the callback.
 */
export type ThreadInput = {
  phone_number_id: string;
  person: string;
  action: "take" | "pass" | "release" | "write" | "status";
  id?: string;
  type?: string;
  status?: StatusName;
  metadata?: string;
  conversation_context?: Record<string, unknown>;
  timestamp?: string;
  report?: boolean;
  [key: string]: unknown;
};

/** `owner` is the conversation's from now on; without `update` nothing is reported. */
export type ThreadResult = Partial<Reported> & { owner: Chat["owner"]; id?: string };

/** A conversation whose person has not written for a day has no owner. */
export const ownerOf = (sim: Simulation, chat: Chat): Chat["owner"] =>
  chat.windowUntil > sim.clock.nowMs() ? chat.owner : null;

/** A free-form message to a conversation of another responder is refused, where the settings say so. */
export function checkOwner(sim: Simulation, chat: Chat): void {
  if (sim.settings.standbySends === "refused" && ownerOf(sim, chat) === "other")
    throw refusal(131070, "Another responder owns this conversation.");
}

export function moveThread(sim: Simulation, number: PhoneNumber, input: ThreadInput): ThreadResult {
  const chat = chatWith(number, personIn(sim, number, input.person));
  const before = ownerOf(sim, chat);
  switch (input.action) {
    case "take":
      chat.owner = "other";
      return { owner: "other", ...(before === "self" ? handover(sim, number, "control_taken", input) : {}) };
    case "pass":
      chat.owner = "self";
      return { owner: "self", ...handover(sim, number, "control_passed", input) };
    case "release":
      chat.owner = null;
      return { owner: null };
    case "write":
      if (input.type !== "template") chat.owner = "other";
      return { owner: chat.owner, ...write(sim, number, input) };
    case "status":
      return { owner: chat.owner, ...status(sim, number, input) };
  }
}

const ROLES = {
  control_taken: { previous_owner_role: "customer_service", new_owner_role: "escalation" },
  control_passed: { previous_owner_role: "ai_agent", new_owner_role: "escalation" },
} as const;

function handover(sim: Simulation, number: PhoneNumber, type: keyof typeof ROLES, input: ThreadInput): Reported {
  const { waId, userId } = nameOf(sim, number, input);
  const { metadata, conversation_context } = input;
  const value = {
    messaging_product: "whatsapp",
    sender: waId === null ? { user_id: userId } : { phone_number: waId },
    recipient: { phone_number_id: number.id, display_phone_number: number.digits },
    type,
    timestamp: input.timestamp ?? timestampOf(sim.clock),
    [type]: {
      ...ROLES[type],
      ...(metadata === undefined ? {} : { metadata }),
      ...(conversation_context === undefined ? {} : { conversation_context }),
    },
  };
  return reportOrReturn(sim, number.account, { field: "messaging_handovers", value, report: input.report });
}

const NOT_CONTENT: ReadonlySet<string> = new Set(
  "phone_number_id person action id type status metadata conversation_context timestamp report template_definition".split(
    " ",
  ),
);

function write(sim: Simulation, number: PhoneNumber, input: ThreadInput): Reported & { id: string } {
  const { id = sim.ids.messageId(), type = "text", timestamp = timestampOf(sim.clock), report } = input;
  const { waId, userId } = nameOf(sim, number, input);
  const given = Object.fromEntries(Object.entries(input).filter(([key]) => !NOT_CONTENT.has(key)));
  if (typeof given["text"] === "string") given["text"] = { body: given["text"] };
  const message = {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...(waId === null ? { recipient: userId } : { to: waId }),
    type,
    ...given,
  };
  return { id, ...copy(sim, number, { message_echoes: [{ id, timestamp, message }] }, report) };
}

function status(sim: Simulation, number: PhoneNumber, input: ThreadInput): Reported {
  const { id, status: name, timestamp = timestampOf(sim.clock), report } = input;
  if (id === undefined || name === undefined) throw new ControlError(400, 'a status needs "id" and "status"');
  const { waId, userId } = nameOf(sim, number, input);
  const recipient = waId === null ? { recipient_user_id: userId } : { recipient_id: waId };
  return copy(sim, number, { statuses: [{ id, status: name, timestamp, ...recipient }] }, report);
}

const copy = (sim: Simulation, number: PhoneNumber, standby: object, report: boolean | undefined): Reported =>
  reportOrReturn(sim, number.account, { field: "standby", value: { ...numberValue(number), standby }, report });

function nameOf(sim: Simulation, number: PhoneNumber, { person: written }: ThreadInput) {
  const person = personIn(sim, number, written);
  const { waId, userId } = identityOf(sim, number, person);
  return { waId: isNumberHidden(sim, number, person) ? null : waId, userId };
}
