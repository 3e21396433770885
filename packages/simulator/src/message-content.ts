import { ContentPart, checkMediaSource, checkPlace } from "./content-part.ts";
import { graphRefusal, refusal } from "./graph-error.ts";
import { checkInteractive } from "./interactive-content.ts";
import { isRecord, textOf } from "./shape.ts";

const TEXT_CHARS = 4096;
const CAPTION_CHARS = 1024;
const OPAQUE_CHARS = 512;
const MOST_CARDS = 257;
/** As the provider's own answer to an unknown type lists them. */
const TYPES = [
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contacts",
  "reaction",
  "interactive",
  "template",
];
const MEDIA = ["image", "video", "audio", "document", "sticker"];

/** Throws the provider's refusal for what is wrong around the content: product, type, opaque value, context. */
export function checkEnvelope(body: Record<string, unknown>): string {
  if (body["messaging_product"] !== "whatsapp") {
    throw graphRefusal(100, "(#100) The parameter messaging_product is required.");
  }
  const type = body["type"] ?? "text";
  if (typeof type !== "string" || !TYPES.includes(type)) {
    throw refusal(
      100,
      `Param type must be one of {${TYPES.join(", ").toUpperCase()}} - got ${(JSON.stringify(type) ?? "").slice(0, 40)}.`,
    );
  }
  const opaque = body["biz_opaque_callback_data"];
  if (opaque !== undefined && (typeof opaque !== "string" || Array.from(opaque).length > OPAQUE_CHARS)) {
    throw refusal(131009, `Param biz_opaque_callback_data must be a string of at most ${OPAQUE_CHARS} characters.`);
  }
  const context = body["context"];
  if (context !== undefined && (!isRecord(context) || textOf(context["message_id"]) === undefined)) {
    throw refusal(131009, "Param context['message_id'] is required.");
  }
  if (context !== undefined && type === "reaction") throw refusal(131009, "A reaction cannot have a context.");
  if (
    body["recipient_type"] !== undefined &&
    body["recipient_type"] !== "individual" &&
    body["recipient_type"] !== "group"
  ) {
    throw refusal(131009, "Param recipient_type must be one of {individual, group}.");
  }
  return type;
}

/** Throws the provider's refusal for free-form content; templates have their own check. */
export function checkContent(type: string, body: Record<string, unknown>): void {
  const content = body[type];
  if (type === "contacts") return checkContacts(content);
  if (!isRecord(content)) throw refusal(131008, `Parameter '${type}' is mandatory for type '${type}'`);
  if (type === "text") checkText(content);
  else if (MEDIA.includes(type)) checkMedia(type, content);
  else if (type === "location") checkPlace(new ContentPart(content, "location"));
  else if (type === "reaction") checkReaction(content);
  else if (type === "interactive") checkInteractive(content);
}

function checkText(content: Record<string, unknown>): void {
  const text = textOf(content["body"]);
  if (text === undefined) throw refusal(131008, "The parameter text['body'] is required.");
  // Characters, as everywhere: an emoji is one.
  if (Array.from(text).length > TEXT_CHARS) {
    throw refusal(100, `Param text['body'] must be at most ${TEXT_CHARS} characters long.`);
  }
}

function checkMedia(type: string, content: Record<string, unknown>): void {
  const media = new ContentPart(content, type);
  checkMediaSource(media);
  if (type === "audio" || type === "sticker") media.none("caption");
  media.optionalText("caption", CAPTION_CHARS);
}

function checkReaction(content: Record<string, unknown>): void {
  if (textOf(content["message_id"]) === undefined)
    throw refusal(131008, "The parameter reaction['message_id'] is required.");
  if (typeof content["emoji"] !== "string") throw refusal(131008, "The parameter reaction['emoji'] is required.");
}

function checkContacts(content: unknown): void {
  if (!Array.isArray(content) || content.length === 0) throw refusal(131008, "The parameter contacts is required.");
  if (content.length > MOST_CARDS) throw refusal(131009, `Param contacts must hold at most ${MOST_CARDS} cards.`);
  for (const contact of content as unknown[]) {
    const name = isRecord(contact) && isRecord(contact["name"]) ? contact["name"] : {};
    if (textOf(name["formatted_name"]) === undefined || Object.keys(name).length < 2) {
      throw refusal(131009, "contacts: name['formatted_name'] and one more part of the name are required.");
    }
  }
}
