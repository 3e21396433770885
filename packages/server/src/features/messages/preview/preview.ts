import type { Definition } from "../../templates/definition.ts";
import { type Fields, listOf, recordOf, textOf } from "./fields.ts";
import { oneLine } from "./one-line.ts";
import { templateText } from "./template-text.ts";

/** What a person has got, or has written. */
export type Previewed = {
  type: string;
  /** The object named after the type; null where it is gone. */
  content: unknown;
  /** Of a template. */
  category: string | null;
  /** Of a template; null where it is not known, or no longer. */
  definition: Definition | null;
};

/**
 * A message in one line, as the person sees it: at most 160 code points. Codes of authentication templates are dots. Null where nothing can
 * be said: of a type that is not known, and once the person was erased.
 */
export function previewOf(message: Previewed): string | null {
  const text = message.type === "template" ? ofTemplate(message) : ofContent(message.type, message.content);
  return text === null ? null : oneLine(text);
}

function ofTemplate({ content, category, definition }: Previewed): string | null {
  // The category may be another one by now: that of the send counts, and what the template is for.
  const hidden = category === "authentication" || definition?.isCode === true;
  return templateText(recordOf(content), definition, hidden);
}

const ofContent = (type: string, content: unknown): string | null =>
  content === null || content === undefined ? null : (BY_TYPE.get(type)?.(content) ?? null);

const ofFields =
  (text: (fields: Fields) => string | null) =>
  (content: unknown): string | null =>
    text(recordOf(content));

const media = (word: string) => ofFields(({ caption, filename }) => textOf(caption) ?? textOf(filename) ?? word);

const BY_TYPE: ReadonlyMap<string, (content: unknown) => string | null> = new Map([
  ["text", ofFields(({ body }) => textOf(body))],
  ["image", media("Image")],
  ["video", media("Video")],
  ["document", media("Document")],
  ["audio", ofFields(({ voice }) => (voice === true ? "Voice message" : "Audio"))],
  ["sticker", ofFields(() => "Sticker")],
  ["location", ofFields(ofPlace)],
  ["contacts", ofCards],
  ["interactive", ofFields(ofInteractive)],
  ["reaction", ofFields(({ emoji }) => textOf(emoji) ?? "Reaction removed")],
  ["button", ofFields(({ text }) => textOf(text))],
  ["order", ofFields(({ text, product_items }) => textOf(text) ?? ofItems(listOf(product_items).length))],
  ["system", ofFields(({ body }) => textOf(body))],
  ["edit", ofFields(({ message }) => ofEdited(recordOf(message)))],
  ["revoke", ofFields(() => "Message deleted")],
]);

function ofPlace({ name, address, latitude, longitude }: Fields): string | null {
  const named = [name, address].map(textOf).filter((text) => text !== null);
  return named.length > 0 ? named.join(", ") : `${String(latitude)}, ${String(longitude)}`;
}

function ofCards(cards: unknown): string | null {
  const names = listOf(cards).map((card) => textOf(recordOf(recordOf(card)["name"])["formatted_name"]) ?? "Contact");
  return names.length === 0 ? null : names.join(", ");
}

const ofItems = (count: number): string => (count === 1 ? "Order of 1 product" : `Order of ${count} products`);

/** What was chosen or filled in, else what was asked. */
function ofInteractive(fields: Fields): string | null {
  const { button_reply, list_reply, nfm_reply, call_permission_reply, body, header, action } = fields;
  const chosen =
    textOf(recordOf(button_reply)["title"]) ??
    textOf(recordOf(list_reply)["title"]) ??
    textOf(recordOf(nfm_reply)["body"]) ??
    ofPermission(textOf(recordOf(call_permission_reply)["response"]));
  const { cards, name } = recordOf(action);
  return (
    chosen ??
    textOf(recordOf(body)["text"]) ??
    textOf(recordOf(header)["text"]) ??
    listOf(cards)
      .map((card) => textOf(recordOf(recordOf(card)["body"])["text"]))
      .find((text) => text !== null) ??
    (fields["type"] === "product" ? "Product" : name === "catalog_message" ? "Catalog" : null)
  );
}

const ofPermission = (response: string | null): string | null =>
  response === null ? null : response === "accept" ? "Calls allowed" : "Calls not allowed";

/** What a message says since it was changed. */
function ofEdited(message: Fields): string | null {
  const type = textOf(message["type"]) ?? "";
  return type === "edit" ? null : ofContent(type, message[type]);
}
