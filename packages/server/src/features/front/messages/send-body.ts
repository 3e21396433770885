import { invalidAt } from "../../../http/problem.ts";
import { LONGEST_CLIENT_VALUE } from "../../messages/columns.ts";
import { ownContent, parsed } from "./content.ts";

type Values = Readonly<Record<string, unknown>>;

/** What a send names by an id of the provider's, or one that this gateway has given out in its place. */
export type Named = { publicId: string; pointer: string };

/** A send as our own API takes it, but for the message that it names. */
export type SendParts = {
  body: Record<string, unknown>;
  /** The client's own value, which the body has no place for in its length. */
  reference: string | undefined;
  /** The recipient as it was given, which the answer repeats. */
  input: string;
  /** The message that it quotes, or reacts to; null: none. */
  named: Named | null;
};

/** Reads a message of the provider's API. Throws the Problem of what has no meaning there; all else is checked by our own schema. */
export function readSend(values: Values): SendParts {
  const { messaging_product: product, recipient_type: recipientType } = values;
  if (product != null && product !== "whatsapp") throw invalidAt("/messaging_product", "must be whatsapp");
  if (recipientType != null && recipientType !== "individual")
    throw invalidAt("/recipient_type", "must be individual: groups have calls of their own");
  const input = recipientOf(values);
  const type = typeof values["type"] === "string" ? values["type"].toLowerCase() : "text";
  const content = withoutIgnored(ownContent(parsed(values[type]), type));
  const body: Record<string, unknown> = { to: /^\d/.test(input) ? `+${input}` : input, type };
  if (content !== undefined && content !== null) body[type] = type === "text" ? textOf(content) : content;
  return { body, reference: referenceOf(values), input, named: namedBy(type, content, parsed(values["context"])) };
}

/** Puts the message that it names into a body, by our id. */
export function naming(body: Record<string, unknown>, messageId: string): Record<string, unknown> {
  const { type } = body;
  if (type !== "reaction") return { ...body, reply_to: messageId };
  return { ...body, reaction: { ...(body["reaction"] as object), message_id: messageId } };
}

/** `to`, or `recipient` with a user id; a number may be one, as some clients write it. */
function recipientOf({ to, recipient }: Values): string {
  const given = to ?? recipient;
  const text = typeof given === "number" ? String(given) : given;
  if (typeof text !== "string" || text.trim() === "") throw invalidAt("/to", "is required", "required");
  return text;
}

function referenceOf(values: Values): string | undefined {
  const at = "/biz_opaque_callback_data";
  const given = values["biz_opaque_callback_data"];
  if (given == null || given === "") return undefined;
  const text = textAt(at, given);
  if (Array.from(text).length > LONGEST_CLIENT_VALUE)
    throw invalidAt(at, `must have at most ${LONGEST_CLIENT_VALUE} characters`, "length");
  return text;
}

function namedBy(type: string, content: unknown, context: unknown): Named | null {
  const at = type === "reaction" ? "/reaction/message_id" : "/context/message_id";
  const id = ((type === "reaction" ? content : context) as { message_id?: unknown } | null | undefined)?.message_id;
  if (id == null || id === "") return null;
  return { publicId: textAt(at, id), pointer: at };
}

function textAt(pointer: string, value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") throw invalidAt(pointer, "must be a text", "type");
  return value;
}

/** Requests whose action has a name alone; the provider takes no notice of parameters that some clients send with it. */
const NAMED_ALONE: readonly unknown[] = ["location_request_message", "call_permission_request"];

function withoutIgnored(content: unknown): unknown {
  const { type, action } = (content ?? {}) as { type?: unknown; action?: { parameters?: unknown } | null };
  if (!NAMED_ALONE.includes(type) || typeof action !== "object" || action === null) return content;
  const { parameters: _, ...rest } = action;
  return { ...(content as object), action: rest };
}

/** Forms write a boolean as its text. */
function textOf(content: unknown): unknown {
  if (typeof content === "string") return { body: content };
  const { preview_url: preview, ...rest } = content as Record<string, unknown>;
  if (preview === undefined) return content;
  return { ...rest, preview_url: preview === "true" ? true : preview === "false" ? false : preview };
}
