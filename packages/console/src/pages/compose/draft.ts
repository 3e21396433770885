import type { Message, SendMessage, Template } from "@waypost/sdk";
import { type Fields, fieldsOf, listOf, textOf } from "../../parts/phone/bubble-shape.ts";
import type { ComposeSearch, KINDS } from "./search.ts";
import { filledOf, slotsOf, type Values, valuesOf } from "./slots.ts";

/** A message that is being written. */
export type Draft = {
  to: string;
  /** Empty: the gateway chooses the number. */
  from: string;
  kind: (typeof KINDS)[number];
  /** Id; empty for none. */
  template: string;
  text: string;
  values: Values;
};

const EMPTY: Draft = { to: "", from: "", kind: "template", template: "", text: "", values: {} };

/** What an address begins with; a template that cannot be sent is left out. */
export function draftOf(
  { to = "", from = "", type = "template", template }: ComposeSearch,
  templates: readonly Template[],
): Draft {
  return { ...EMPTY, to, from, kind: type, template: templates.find(({ id }) => id === template)?.id ?? "" };
}

/** What a message had, to be sent once more. */
export function draftAgain(message: Message, templates: readonly Template[]): Draft {
  const about = { ...EMPTY, to: message.to ?? message.contact_id, from: message.phone_number_id };
  if (message.type === "text") return { ...about, kind: "text", text: textOf(message.text?.["body"]) ?? "" };
  const sent = fieldsOf(message.template);
  const language = fieldsOf(sent["language"])["code"];
  const template = templates.find((one) => one.name === sent["name"] && one.language.code === language);
  if (template === undefined) return about;
  // A code is sent once, and the console shows none.
  const values =
    template.category === "authentication" ? {} : valuesOf(template.components, listOf(sent["components"]));
  return { ...about, template: template.id, values };
}

/** Whether the form can send it once more: what it was made of is not kept of other kinds. */
export const canSendAgain = ({ direction, type, ...content }: Message): boolean =>
  direction === "outbound" && (type === "template" || type === "text") && content[type] !== null;

/** The body of `POST /v1/messages`; null while something that it needs is missing. */
export function bodyOf(draft: Draft, template: Template | null): SendMessage | null {
  const { from, kind, text } = draft;
  const to = draft.to.trim();
  if (to === "") return null;
  const about = { to, ...(from === "" ? {} : { from }) };
  if (kind === "text") return text.trim() === "" ? null : { ...about, type: "text", text: { body: text } };
  if (template === null) return null;
  const slots = slotsOf(template.components);
  if (slots === null || slots.some(({ key }) => !draft.values[key])) return null;
  return { ...about, type: "template", template: contentOf(template, draft.values) };
}

/** What the message has in `template`; without components where the template takes none. */
export function contentOf({ name, language, components, parameter_format: format }: Template, values: Values) {
  const filled = filledOf(components, format === "named", values);
  const parts = filled.length === 0 ? {} : { components: filled as ({ type: string } & Fields)[] }; // as it makes them
  return { name, language: { code: language.code }, ...parts };
}
