import type { RequestOptions, SendMessage, SendTemplateMessage } from "@waypost/sdk";
import { type Declared, type Given, text } from "./commands/command.ts";
import { UsageError } from "./errors.ts";

/** The final states of a message that was not delivered. */
const LOST = new Set(["failed", "expired", "canceled"]);

/** `waypost send`: one template or text message. Prints the message. */
export const sendCommand: Declared = {
  name: "send",
  does: "send one message, a template or a text",
  key: "workspace",
  operation: "messages.send",
  example: "send --to +15551230001 --template order_ready --wait 10",
  options: [
    { name: "to", does: "recipient: E.164 with +, a contact id or a user id", isRequired: true },
    { name: "template", does: "name of an approved template" },
    { name: "language", does: "of the template; en_US by default", isOwn: true },
    { name: "components", does: "JSON: the template's parameters, as the provider has them", isOwn: true },
    { name: "text", does: "free-form, inside the 24-hour window" },
    { name: "from", does: "num_… or E.164 of a connected number" },
    { name: "reply_to", does: "msg_…: message to quote" },
    { name: "reference", does: "yours; returned everywhere" },
    { name: "send_at", does: "not before", kind: "time" },
    { name: "idempotency_key", does: "the same key never sends twice", isOwn: true },
    { name: "wait", does: "1 to 30 seconds: until the provider accepted or refused", isOwn: true },
  ],
  run: async ({ given, workspace, notice, settle }) => {
    const message = messageOf(given);
    const request = requestOf(given);
    const sent = await (await workspace()).messages.send(message, request);
    if (LOST.has(sent.status)) {
      settle(1);
      const { error } = sent;
      notice(
        `the message is ${sent.status}${error ? `: ${error.code}: ${error.detail ?? error.title} ${error.remedy}` : ""}`,
      );
    }
    return { one: sent };
  },
};

function messageOf(given: Given): SendMessage {
  const { template, components, text: body } = given;
  const common = {
    to: text(given, "to"),
    ...optional(given, "from"),
    ...optional(given, "reply_to"),
    ...optional(given, "reference"),
    ...optional(given, "send_at"),
  };
  if (template !== undefined && body === undefined) {
    const parameters = components === undefined ? {} : { components: arrayOf(String(components)) };
    const language = { code: text(given, "language") || "en_US" };
    return { ...common, type: "template", template: { name: String(template), language, ...parameters } };
  }
  if (body !== undefined && template === undefined && components !== undefined)
    throw new UsageError("--components belongs to --template: a text has none");
  if (body !== undefined && template === undefined) return { ...common, type: "text", text: { body: String(body) } };
  throw new UsageError("send needs either --template or --text");
}

const optional = <K extends string>(given: Given, name: K): Partial<Record<K, string>> =>
  given[name] === undefined ? {} : ({ [name]: String(given[name]) } as Record<K, string>); // of this one name

type Components = NonNullable<SendTemplateMessage["template"]["components"]>;

function arrayOf(json: string): Components {
  try {
    const value: unknown = JSON.parse(json);
    if (Array.isArray(value)) return value as Components; // the gateway checks each element
  } catch {
    // Reported below, like a value of another type.
  }
  throw new UsageError("--components needs a JSON array");
}

function requestOf({ idempotency_key, wait }: Given): RequestOptions {
  const seconds = wait === undefined ? undefined : Number(wait);
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 1 && seconds <= 30))
    throw new UsageError("--wait needs a whole number of seconds from 1 to 30");
  return {
    ...(idempotency_key === undefined ? {} : { idempotencyKey: String(idempotency_key) }),
    ...(seconds === undefined ? {} : { waitSeconds: seconds }),
  };
}
