import { beginningOf } from "../lib/beginning-of.ts";
import { isRecord, textOf } from "../lib/shape.ts";
import { graphRefusal, refusal } from "../protocol/error.ts";
import { ContentPart, checkMediaSource, checkPlace } from "./content-part.ts";
import { checkInteractive } from "./interactive-content.ts";

const ANY_LENGTH = Number.POSITIVE_INFINITY;
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
const NAME_PARTS = ["formatted_name", "first_name", "last_name", "middle_name", "suffix", "prefix"];
/** What a card has several of, with their texts. */
const CARD_LISTS: Readonly<Record<string, readonly string[]>> = {
  phones: ["phone", "type", "wa_id"],
  emails: ["email", "type"],
  addresses: ["street", "city", "state", "zip", "country", "country_code", "type"],
  urls: ["url", "type"],
};
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
      `Param type must be one of {${TYPES.join(", ").toUpperCase()}} - got ${beginningOf(JSON.stringify(type) ?? "", 40)}.`,
    );
  }
  const opaque = body["biz_opaque_callback_data"] ?? "";
  if (typeof opaque !== "string" || Array.from(opaque).length > OPAQUE_CHARS) {
    throw refusal(131009, `Param biz_opaque_callback_data must be a string of at most ${OPAQUE_CHARS} characters.`);
  }
  const account = body["messaging_account_id"] ?? undefined;
  if (account !== undefined && !/^\d{1,32}$/.test(textOf(account) ?? ""))
    throw refusal(100, "Param messaging_account_id must be the id of a Messaging account.");
  const context = body["context"] ?? undefined;
  if (context !== undefined && (!isRecord(context) || textOf(context["message_id"]) === undefined)) {
    throw refusal(131009, "Param context['message_id'] is required.");
  }
  if (context !== undefined && type === "reaction") throw refusal(131009, "A reaction cannot have a context.");
  const recipientTypes: readonly unknown[] = ["individual", "group", undefined, null];
  if (!recipientTypes.includes(body["recipient_type"])) {
    throw refusal(131009, "Param recipient_type must be one of {individual, group}.");
  }
  return type;
}

/** Throws the provider's refusal for free-form content; templates have their own check. */
export function checkContent(type: string, body: Record<string, unknown>): void {
  const content = body[type];
  if (type === "contacts") return checkContacts(content ?? undefined);
  if (!isRecord(content)) throw refusal(131008, `Parameter '${type}' is mandatory for type '${type}'`);
  const part = new ContentPart(content, type);
  if (type === "text") checkText(part);
  else if (MEDIA.includes(type)) checkMedia(type, part);
  else if (type === "location") checkPlace(part);
  else if (type === "reaction") checkReaction(part);
  else if (type === "interactive") checkInteractive(content);
}

function checkText(text: ContentPart): void {
  // Characters, as everywhere: an emoji is one.
  if (Array.from(text.text("body", ANY_LENGTH)).length > TEXT_CHARS) {
    throw refusal(100, `Param text['body'] must be at most ${TEXT_CHARS} characters long.`);
  }
  text.optionalBoolean("preview_url");
}

function checkMedia(type: string, media: ContentPart): void {
  checkMediaSource(media);
  if (type === "audio" || type === "sticker") media.none("caption");
  media.optionalText("caption", CAPTION_CHARS);
  if (type === "document") media.optionalText("filename", ANY_LENGTH);
  if (type === "audio") media.optionalBoolean("voice");
}

function checkReaction(reaction: ContentPart): void {
  reaction.text("message_id", ANY_LENGTH);
  if (!reaction.has("emoji")) throw reaction.missing("emoji");
  // An empty one takes the reaction back.
  if (reaction.raw("emoji") !== "") reaction.text("emoji", ANY_LENGTH);
}

function checkContacts(content: unknown): void {
  if (content === undefined) throw refusal(131008, "The parameter contacts is required.");
  if (!Array.isArray(content)) throw refusal(131009, "Param contacts must be of type array.");
  if (content.length === 0) throw refusal(131008, "The parameter contacts is required.");
  if (content.length > MOST_CARDS) throw refusal(131009, `Param contacts must hold at most ${MOST_CARDS} cards.`);
  for (const contact of new ContentPart({ contacts: content }, "message").parts("contacts", 1, MOST_CARDS)) {
    const name = contact.optionalPart("name") ?? new ContentPart({}, "name");
    const parts = NAME_PARTS.filter((key) => name.raw(key) !== "" && name.optionalText(key, ANY_LENGTH) !== null);
    if (!parts.includes("formatted_name") || parts.length < 2) {
      throw refusal(131009, "contacts: name['formatted_name'] and one more part of the name are required.");
    }
    for (const [list, keys] of Object.entries(CARD_LISTS)) {
      if (!contact.has(list)) continue;
      for (const one of contact.parts(list, 0, ANY_LENGTH))
        for (const key of keys) if (one.raw(key) !== "") one.optionalText(key, ANY_LENGTH);
    }
  }
}
