import { type Fields, fieldsOf, listOf, textOf } from "../../parts/phone/bubble-shape.ts";

/** A place of a template that a message fills. `key`: its own among those of the template; `path`: where its value stands in the body. */
export type Slot = {
  key: string;
  part: "header" | "body" | "button";
  /** What people call it: the variable's name or number, or the button's text. */
  name: string;
  kind: "text" | "image" | "video" | "document" | "code";
};

export type Values = Readonly<Record<string, string>>;

const MEDIA = ["image", "video", "document"] as const;

/** The places of a template, in the order in which people read it. Null: it has parts that are filled by the API alone. */
export function slotsOf(components: readonly Fields[]): Slot[] | null {
  const slots: Slot[] = [];
  for (const component of components) {
    const kind = kindOf(component);
    if (kind === "header") {
      const format = (textOf(component["format"]) ?? "text").toLowerCase();
      const media = MEDIA.find((one) => one === format);
      if (media !== undefined) slots.push({ key: "header", part: "header", name: "", kind: media });
      else if (format !== "text") return null;
      else slots.push(...textSlots("header", textOf(component["text"])));
    } else if (kind === "body") {
      const text = textOf(component["text"]);
      // Of an authentication template the text is the provider's, and has one place.
      if (text === null) slots.push({ key: "body.1", part: "body", name: "1", kind: "code" });
      else slots.push(...textSlots("body", text));
    } else if (kind === "buttons") {
      for (const [index, button] of listOf(component["buttons"]).entries()) {
        const slot = buttonSlot(button, index);
        if (slot === null) return null;
        slots.push(...slot);
      }
    } else if (kind !== "footer") return null;
  }
  return slots;
}

const textSlots = (part: "header" | "body", text: string | null): Slot[] =>
  variablesOf(text ?? "").map((name) => ({ key: `${part}.${name}`, part, name, kind: "text" }));

/** Names of the variables of a text, each once, in their order. */
export const variablesOf = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = ""]) => name)),
];

function buttonSlot(button: Fields, index: number): Slot[] | null {
  const kind = kindOf(button);
  const name = textOf(button["text"]) ?? "";
  const slot = (of: Slot["kind"]): Slot[] => [{ key: `button.${index}`, part: "button", name, kind: of }];
  if (kind === "url") return variablesOf(textOf(button["url"]) ?? "").length > 0 ? slot("text") : [];
  if (kind === "copy_code") return slot("code");
  // Its code is that of the body.
  if (kind === "otp" || kind === "quick_reply" || kind === "phone_number" || kind === "voice_call") return [];
  return null;
}

/** Components are written in capitals by the provider, parameters are not. */
const kindOf = (component: Fields): string => (textOf(component["type"]) ?? "").toLowerCase();

/** What `template.components` of a message has, with the values in their places. */
export function filledOf(components: readonly Fields[], isNamed: boolean, values: Values): Fields[] {
  const slots = slotsOf(components) ?? [];
  const of = (part: Slot["part"]): Slot[] => slots.filter((slot) => slot.part === part);
  const parts = (["header", "body"] as const).flatMap((part) => {
    const ordered = isNamed ? of(part) : of(part).toSorted((one, other) => Number(one.name) - Number(other.name));
    const parameters = ordered.map((slot) => parameterOf(slot, isNamed, values));
    return parameters.length === 0 ? [] : [{ type: part, parameters }];
  });
  return [...parts, ...buttonsOf(components, values)];
}

function parameterOf({ key, name, kind }: Slot, isNamed: boolean, values: Values): Fields {
  const value = values[key] ?? "";
  if (kind === "image" || kind === "video" || kind === "document")
    return { type: kind, [kind]: value.startsWith("med_") ? { id: value } : { link: value } };
  return { type: "text", ...(isNamed && kind === "text" ? { parameter_name: name } : {}), text: value };
}

function buttonsOf(components: readonly Fields[], values: Values): Fields[] {
  const buttons = listOf(components.find((one) => kindOf(one) === "buttons")?.["buttons"]);
  return buttons.flatMap((button, index) => {
    const kind = kindOf(button);
    const of = (subType: string, parameter: Fields): Fields[] => [
      { type: "button", sub_type: subType, index: String(index), parameters: [parameter] },
    ];
    if (kind === "otp") return of("url", { type: "text", text: values["body.1"] ?? "" });
    const value = values[`button.${index}`] ?? "";
    if (kind === "copy_code") return of("copy_code", { type: "coupon_code", coupon_code: value });
    return buttonSlot(button, index)?.length === 1 ? of("url", { type: "text", text: value }) : [];
  });
}

/** Where the value of a place stands in the body of a send, as a refusal's pointer names it: `template.components.0.parameters.1`. */
export function pathOf({ key, part, name }: Slot, filled: readonly Fields[], isNamed: boolean): string {
  const index = filled.findIndex((one) =>
    part === "button" ? one["type"] === "button" && `button.${String(one["index"])}` === key : one["type"] === part,
  );
  const parameters = listOf(filled[index]?.["parameters"]);
  const at = isNamed ? parameters.findIndex((one) => one["parameter_name"] === name) : Number(name) - 1;
  return `template.components.${index}.parameters.${part === "button" || key === "header" ? 0 : at}`;
}

/** The values that a message was sent with, to be sent again; the other way around than `filledOf`. */
export function valuesOf(components: readonly Fields[], sent: readonly Fields[]): Values {
  const values: Record<string, string> = {};
  for (const slot of slotsOf(components) ?? []) {
    const index = slot.key.slice("button.".length);
    const from = sent.find((one) =>
      slot.part === "button" ? kindOf(one) === "button" && String(one["index"]) === index : kindOf(one) === slot.part,
    );
    const parameters = listOf(from?.["parameters"]);
    const at = slot.part === "button" || slot.key === "header" ? 0 : Number(slot.name) - 1;
    const parameter = parameters.find((one) => one["parameter_name"] === slot.name) ?? parameters[at] ?? {};
    const media = fieldsOf(parameter[slot.kind]);
    const value =
      textOf(parameter["text"]) ?? textOf(parameter["coupon_code"]) ?? textOf(media["id"]) ?? textOf(media["link"]);
    if (value !== null) values[slot.key] = value;
  }
  return values;
}
