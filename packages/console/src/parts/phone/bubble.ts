import {
  type Bubble,
  type Button,
  type Drawn,
  EMPTY,
  type Fields,
  fieldsOf,
  type Header,
  listOf,
  textOf,
} from "./bubble-shape.ts";
import { inlineOf } from "./inline.ts";
import { type Codes, templateBubble } from "./template-bubble.ts";

/**
 * The bubble of a message; null for a kind that is not drawn, or whose content was erased. `components` are those of the template that
 * the message was sent by; without them a template is drawn by its name alone.
 */
export function bubbleOf(
  message: Drawn,
  components: readonly Fields[] | null = null,
  codes: Codes = "hidden",
): Bubble | null {
  const content = message[message.type];
  if (typeof content !== "object" || content === null) return null;
  const fields = fieldsOf(content);
  switch (message.type) {
    case "text":
      return { ...EMPTY, body: inlineOf(textOf(fields["body"]) ?? "") };
    case "template":
      return templateBubble(fields, components, codes, message["category"] === "authentication");
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return mediaBubble(message.type, fields);
    case "location":
      return {
        ...EMPTY,
        header: { kind: "location", name: textOf(fields["name"]), address: textOf(fields["address"]) },
      };
    case "contacts":
      return { ...EMPTY, header: { kind: "contacts", names: listOf(content).map(nameOfCard) } };
    case "reaction":
      return { ...EMPTY, reaction: textOf(fields["emoji"]) ?? "" };
    case "button":
      return { ...EMPTY, body: inlineOf(textOf(fields["text"]) ?? "") };
    case "interactive":
      return interactiveBubble(fields);
    default:
      return null;
  }
}

type MediaKind = "image" | "video" | "audio" | "document" | "sticker";

const mediaBubble = (kind: MediaKind, fields: Fields): Bubble => ({
  ...EMPTY,
  header: { kind, name: textOf(fields["filename"]) },
  body: inlineOf(textOf(fields["caption"]) ?? ""),
});

const nameOfCard = (card: Fields): string => textOf(fieldsOf(card["name"])["formatted_name"]) ?? "";

function interactiveBubble(fields: Fields): Bubble {
  const reply = fieldsOf(fields["button_reply"] ?? fields["list_reply"] ?? fields["nfm_reply"]);
  const chosen = textOf(reply["title"]) ?? textOf(reply["body"]);
  if (chosen !== null) return { ...EMPTY, body: inlineOf(chosen) };
  const action = fieldsOf(fields["action"]);
  return {
    ...EMPTY,
    header: interactiveHeader(fieldsOf(fields["header"])),
    body: inlineOf(textOf(fieldsOf(fields["body"])["text"]) ?? ""),
    footer: textOf(fieldsOf(fields["footer"])["text"]),
    buttons: actionButtons(action),
  };
}

function interactiveHeader(header: Fields): Header | null {
  const kind = textOf(header["type"]);
  if (kind === "text") return { kind, text: inlineOf(textOf(header["text"]) ?? "") };
  return kind === "image" || kind === "video" || kind === "document"
    ? { kind, name: textOf(fieldsOf(header[kind])["filename"]) }
    : null;
}

function actionButtons(action: Fields): Button[] {
  const replies = listOf(action["buttons"]).map(
    (button): Button => ({ kind: "reply", text: textOf(fieldsOf(button["reply"])["title"]) ?? "" }),
  );
  const list = textOf(action["button"]);
  const parameters = fieldsOf(action["parameters"]);
  const shown = textOf(parameters["display_text"]) ?? textOf(parameters["flow_cta"]);
  return [
    ...replies,
    ...(list === null ? [] : [{ kind: "list", text: list } as const]),
    ...(shown === null ? [] : [{ kind: "url", text: shown } as const]),
  ];
}
