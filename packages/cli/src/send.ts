import type { RequestOptions, SendMessage, SendTemplateMessage } from "@waypost/sdk";
import type { Command } from "commander";
import { workspaceOf } from "./connection.ts";
import { UsageError } from "./errors.ts";
import { BASE_URL, printJson } from "./output.ts";

type SendOptions = {
  to: string;
  template?: string;
  language: string;
  components?: string;
  text?: string;
  from?: string;
  replyTo?: string;
  reference?: string;
  sendAt?: string;
  idempotencyKey?: string;
  wait?: string;
  baseUrl?: string;
};

/** The final states of a message that was not delivered. */
const LOST = new Set(["failed", "expired", "canceled"]);

/** `waypost send`: one template or text message, with WAYPOST_API_KEY. Prints the message as JSON. */
export function addSendCommand(program: Command, settle: (code: number) => void): void {
  program
    .command("send")
    .description("send one message, with WAYPOST_API_KEY")
    .requiredOption("--to <recipient>", "E.164 with +, a contact id or a user id")
    .option("--template <name>", "an approved template")
    .option("--language <code>", "of the template", "en_US")
    .option("--components <json>", "the template's parameters, as the provider has them")
    .option("--text <body>", "free-form, inside the 24-hour window")
    .option("--from <number>", "num_… or E.164 of a connected number")
    .option("--reply-to <id>", "message to quote")
    .option("--reference <text>", "yours; returned everywhere")
    .option("--send-at <time>", "not before, such as 2030-01-31T09:30:00Z")
    .option("--idempotency-key <key>", "the same key never sends twice")
    .option("--wait <seconds>", "1 to 30: until the provider accepted or refused")
    .option(...BASE_URL)
    .action(async (options: SendOptions) => {
      const message = messageOf(options);
      const request = requestOf(options);
      const { messages } = await workspaceOf(options.baseUrl, process.env);
      const sent = await messages.send(message, request);
      printJson(sent);
      if (!LOST.has(sent.status)) return;
      console.error(`waypost: the message is ${sent.status}${sent.error ? `: ${sent.error.code}` : ""}`);
      settle(1);
    });
}

function messageOf(options: SendOptions): SendMessage {
  const { to, template, language, components, text } = options;
  const common = {
    to,
    ...(options.from === undefined ? {} : { from: options.from }),
    ...(options.replyTo === undefined ? {} : { reply_to: options.replyTo }),
    ...(options.reference === undefined ? {} : { reference: options.reference }),
    ...(options.sendAt === undefined ? {} : { send_at: options.sendAt }),
  };
  if (template !== undefined && text === undefined) {
    const parameters = components === undefined ? {} : { components: arrayOf(components) };
    return { ...common, type: "template", template: { name: template, language: { code: language }, ...parameters } };
  }
  if (text !== undefined && template === undefined && components !== undefined)
    throw new UsageError("--components belongs to --template: a text has none");
  if (text !== undefined && template === undefined) return { ...common, type: "text", text: { body: text } };
  throw new UsageError("send needs either --template or --text");
}

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

function requestOf({ idempotencyKey, wait }: SendOptions): RequestOptions {
  const seconds = wait === undefined ? undefined : Number(wait);
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 1 && seconds <= 30))
    throw new UsageError("--wait needs a whole number of seconds from 1 to 30");
  return {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(seconds === undefined ? {} : { waitSeconds: seconds }),
  };
}
