import { type Bubble, type Button, EMPTY, type Fields, fieldsOf, type Header, listOf, textOf } from "./bubble-shape.ts";
import { inlineOf } from "./inline.ts";

type Values = Readonly<Record<string, string>>;

/** What stands for a code: its length says nothing. */
export const DOTS = "••••••";

/** Whether the codes of authentication templates are shown: to the person who gets them alone. */
export type Codes = "hidden" | "shown";

/**
 * The bubble of a template: `sent` is the content of the message with its parameters, `components` the template's definition. `isCode`: it is
 * of authentication; where that is not known, a button of its definition says so.
 */
export function templateBubble(
  sent: Fields,
  components: readonly Fields[] | null,
  codes: Codes,
  isCode: boolean,
): Bubble {
  if (components === null) return { ...EMPTY, body: inlineOf(textOf(sent["name"]) ?? "") };
  const parameters = listOf(sent["components"]);
  const bubble = bubbleOfComponents(components, parameters, codes, isCode);
  const carousel = components.find((one) => kindOf(one) === "carousel");
  if (carousel === undefined) return bubble;
  const cardParameters = listOf(parameters.find((one) => kindOf(one) === "carousel")?.["cards"]);
  const cards = listOf(carousel["cards"]).map((card, index) =>
    bubbleOfComponents(listOf(card["components"]), listOf(cardParameters[index]?.["components"]), codes, isCode),
  );
  return { ...bubble, cards };
}

function bubbleOfComponents(
  components: readonly Fields[],
  parameters: readonly Fields[],
  codes: Codes,
  isCode: boolean,
): Bubble {
  const of = (kind: string): Fields | undefined => components.find((one) => kindOf(one) === kind);
  const buttons = listOf(of("buttons")?.["buttons"]);
  // The text of an authentication template is the provider's, and may be in its definition or not.
  const isHidden = codes === "hidden" && (isCode || buttons.some((button) => kindOf(button) === "otp"));
  const valuesOf = (kind: string): Values => {
    const values = valuesIn(parameters.find((one) => kindOf(one) === kind));
    return isHidden ? Object.fromEntries(Object.keys(values).map((name) => [name, DOTS])) : values;
  };
  const header = of("header");
  const body = of("body");
  const offer = of("limited_time_offer");
  return {
    ...EMPTY,
    header:
      header !== undefined
        ? headerOf(header, valuesOf("header"))
        : offer === undefined
          ? null
          : { kind: "offer", text: textOf(fieldsOf(offer["limited_time_offer"])["text"]) ?? "" },
    body: inlineOf(bodyText(body, valuesOf("body")), valuesOf("body")),
    footer: textOf(of("footer")?.["text"]),
    buttons: buttons.map(buttonOf),
  };
}

/** Components are written in capitals by the provider, parameters are not. */
const kindOf = (component: Fields): string => (textOf(component["type"]) ?? "").toLowerCase();

/** By place ("1", "2" …), and by name where the parameter has one. */
function valuesIn(component: Fields | undefined): Values {
  const values: Record<string, string> = {};
  listOf(component?.["parameters"]).forEach((parameter, index) => {
    const value =
      textOf(parameter["text"]) ?? textOf(fieldsOf(parameter["currency"] ?? parameter["date_time"])["fallback_value"]);
    if (value !== null) values[textOf(parameter["parameter_name"]) ?? String(index + 1)] = value;
  });
  return values;
}

/** The text of an authentication template is the provider's; what it says is known by its kind alone. */
function bodyText(body: Fields | undefined, values: Values): string {
  const text = textOf(body?.["text"]);
  if (text !== null) return text;
  if (body === undefined || values["1"] === undefined) return "";
  return `*${values["1"]}* is your verification code.${body["add_security_recommendation"] === true ? " For your security, do not share this code." : ""}`;
}

function headerOf(header: Fields, values: Values): Header | null {
  const format = (textOf(header["format"]) ?? "text").toLowerCase();
  switch (format) {
    case "text":
      return { kind: "text", text: inlineOf(textOf(header["text"]) ?? "", values) };
    case "image":
    case "video":
    case "document":
      return { kind: format, name: null };
    case "location":
      return { kind: "location", name: null, address: null };
    default:
      return null;
  }
}

const KINDS: Readonly<Record<string, Button["kind"]>> = {
  quick_reply: "reply",
  url: "url",
  phone_number: "phone",
  copy_code: "code",
  otp: "code",
};

const buttonOf = (button: Fields): Button => ({
  kind: KINDS[kindOf(button)] ?? "other",
  text: textOf(button["text"]) ?? "",
});
