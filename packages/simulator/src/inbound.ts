import { businessScopedUserId } from "./ids.ts";
import { waIdOf } from "./recipient.ts";
import { isRecord, textOf } from "./shape.ts";
import { messagesDestination, metadataOf, type Simulation, timestampOf } from "./simulation.ts";
import { type PhoneNumber, personOf } from "./world.ts";

/** The customer service window (provider reference 7). */
const WINDOW_MS = 24 * 3_600_000;
const KEPT_TEXT_CHARS = 500;

/**
 * A message from a person: `text` as a string or an object; any other `type` with its object under the same key, or
 * none. `id`, `timestamp` (Unix seconds as text), `context`, `referral` and further keys go into the message as given.
 */
export type InboundInput = {
  phone_number_id: string;
  from: string;
  type?: string;
  name?: string;
  id?: string;
  timestamp?: string;
  [key: string]: unknown;
};

/** `reported` is false when the account did not subscribe: the window opened all the same. */
export type InboundResult = { id: string; wa_id: string; window_expires_at: number; reported: boolean };

/** A person writes to a number: the window opens and the callback goes out at once. */
export function receiveInbound(sim: Simulation, number: PhoneNumber, input: InboundInput): InboundResult {
  const { phone_number_id: _number, from, type = "text", name, id, timestamp, ...rest } = input;
  const waId = waIdOf(from) ?? from;
  const person = personOf(number, waId);
  if (name !== undefined) person.name = name;
  // A change of number is reported by the provider, not sent by the person: it opens no window.
  if (type !== "system") person.windowUntil = Math.max(person.windowUntil, sim.clock.nowMs() + WINDOW_MS);
  const message: Record<string, unknown> = {
    from: waId,
    from_user_id: businessScopedUserId(number.account.businessId, waId),
    id: id ?? sim.ids.messageId(),
    timestamp: timestamp ?? timestampOf(sim.clock),
    type,
    ...rest,
  };
  if (typeof message["text"] === "string") message["text"] = { body: message["text"] };
  const contact = { profile: { name: person.name }, wa_id: waId, user_id: message["from_user_id"] };
  sim.inbound.add({
    at: performance.timeOrigin + performance.now(),
    id: String(message["id"]),
    phone_number_id: number.id,
    from: waId,
    type,
    text: textOfMessage(message, type).slice(0, KEPT_TEXT_CHARS),
  });
  const value = {
    messaging_product: "whatsapp",
    metadata: metadataOf(number),
    ...(type === "system" ? {} : { contacts: [contact] }),
    messages: [message],
  };
  if (number.account.subscribed) sim.courier.enqueue(messagesDestination(number.account), { field: "messages", value });
  return {
    id: String(message["id"]),
    wa_id: waId,
    window_expires_at: person.windowUntil,
    reported: number.account.subscribed,
  };
}

function textOfMessage(message: Record<string, unknown>, type: string): string {
  const content = message[type];
  if (!isRecord(content)) return `[${type}]`;
  return textOf(content["body"]) ?? textOf(content["text"]) ?? textOf(content["caption"]) ?? `[${type}]`;
}
