import { type Fields, fieldsOf, listOf, textOf } from "../../../console/src/parts/phone/bubble-shape.ts";
import type { Message } from "./state.ts";

/** What a person can do with a message. `answer` has the keys of the message that it sends. */
export type Choice = { text: string } & (
  | { kind: "answer"; answer: Fields }
  | { kind: "link"; href: string }
  | { kind: "call"; phone: string }
  | { kind: "copy"; code: string }
  | { kind: "list"; rows: Row[] }
  | { kind: "form"; name: string; example: Fields }
  | { kind: "none" }
);
export type Row = { section: string; title: string; description: string | null; answer: Fields };

/** In the order of the buttons; those of a carousel's card are `choicesOfCard`. */
export function choicesOf({ type, message, components }: Message): Choice[] {
  const content = fieldsOf(message?.[type]);
  if (type === "interactive") return ofInteractive(content);
  return type === "template" ? ofTemplate(listOf(components), listOf(content["components"])) : [];
}

export function choicesOfCard({ message, components }: Message, index: number): Choice[] {
  const cards = (all: readonly Fields[]) => listOf(all.find((one) => kindOf(one) === "carousel")?.["cards"])[index];
  const sent = listOf(fieldsOf(message?.["template"])["components"]);
  return ofTemplate(listOf(cards(listOf(components))?.["components"]), listOf(cards(sent)?.["components"]));
}

function ofInteractive(content: Fields): Choice[] {
  const action = fieldsOf(content["action"]);
  const parameters = fieldsOf(action["parameters"]);
  const replies = listOf(action["buttons"]).map((button): Choice => {
    const { id, title } = fieldsOf(button["reply"]);
    const reply = { id: textOf(id) ?? "", title: textOf(title) ?? "" };
    return { kind: "answer", text: reply.title, answer: interactive("button_reply", reply) };
  });
  const list = textOf(action["button"]);
  const text = textOf(parameters["display_text"]) ?? textOf(parameters["flow_cta"]);
  switch (content["type"]) {
    case "list":
      return [{ kind: "list", text: list ?? "Options", rows: listOf(action["sections"]).flatMap(rowsOf) }];
    case "flow":
      return [{ kind: "form", text: text ?? "Open", name: "flow", example: { flow_token: parameters["flow_token"] } }];
    case "address_message":
      return [{ kind: "form", text: "Give an address", name: "address_message", example: ADDRESS }];
    case "location_request_message":
      return [{ kind: "answer", text: "Send location", answer: { type: "location", location: PLACE } }];
    case "cta_url":
      return [linkTo(text ?? "Open", textOf(parameters["url"]))];
    default:
      return replies;
  }
}

const ADDRESS = { values: { in_pin_code: "10115", address: "1 High Street", city: "Berlin" } };
const PLACE = { latitude: 52.52, longitude: 13.405, name: "Home", address: "1 High Street" };

const rowsOf = (section: Fields): Row[] =>
  listOf(section["rows"]).map(({ id, title, description }) => {
    const about = textOf(description);
    const row = { id: textOf(id) ?? "", title: textOf(title) ?? "" };
    const reply = about === null ? row : { ...row, description: about };
    const answer = interactive("list_reply", reply);
    return { section: textOf(section["title"]) ?? "", title: row.title, description: about, answer };
  });

const interactive = (type: string, reply: Fields): Fields => ({
  type: "interactive",
  interactive: { type, [type]: reply },
});

/** The answer to a form: what was entered, as the text of JSON that it is on the wire. */
export const formAnswer = (name: string, response: string): Fields =>
  interactive("nfm_reply", { name, body: "Sent", response_json: response });

function ofTemplate(components: readonly Fields[], sent: readonly Fields[]): Choice[] {
  const buttons = listOf(components.find((one) => kindOf(one) === "buttons")?.["buttons"]);
  return buttons.map((button, index): Choice => {
    const own = sent.find((one) => kindOf(one) === "button" && String(one["index"]) === String(index));
    const parameter = fieldsOf(listOf(own?.["parameters"])[0]);
    const text = textOf(button["text"]) ?? "";
    switch (kindOf(button)) {
      case "quick_reply": {
        const answer = { type: "button", button: { payload: textOf(parameter["payload"]) ?? text, text } };
        return { kind: "answer", text, answer };
      }
      case "url":
        return linkTo(text, textOf(button["url"])?.replace(/\{\{\w+\}\}/, textOf(parameter["text"]) ?? "") ?? null);
      case "phone_number":
        return { kind: "call", text, phone: textOf(button["phone_number"]) ?? "" };
      case "copy_code":
        return { kind: "copy", text: text || "Copy code", code: textOf(parameter["coupon_code"]) ?? "" };
      case "otp":
        return { kind: "copy", text: text || "Copy code", code: textOf(parameter["text"]) ?? "" };
      case "flow":
        return { kind: "form", text, name: "flow", example: fieldsOf(parameter["action"]) };
      default:
        return { kind: "none", text };
    }
  });
}

/** Anything but an address of the web is no link, whatever a template says. */
const linkTo = (text: string, href: string | null): Choice =>
  href !== null && URL.canParse(href) && /^https?:/i.test(href) ? { kind: "link", text, href } : { kind: "none", text };

const kindOf = (part: Fields): string => (textOf(part["type"]) ?? "").toLowerCase();
