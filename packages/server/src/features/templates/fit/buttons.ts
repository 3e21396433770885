import { type ButtonDefinition, type Part, renderText, type TextDefinition } from "../definition.ts";
import { addFault, type Fields, lengthOf, type Place, recordOf, type Sent } from "./sent.ts";

/** Characters of a button's URL with its suffix (Cloud API documentation, templates: create). */
const LONGEST_URL = 2_000;
/**
 * Characters of a payload. The provider names no limit for templates: this is that of the id of a reply button, which comes back in the
 * same way. Up to 128 are sure to pass; but what is refused here must be what could never be sent.
 */
const LONGEST_PAYLOAD = 256;

export function checkButtons({ buttons }: Part, sent: readonly Sent[], place: Place): void {
  const seen = new Set<number>();
  for (const one of sent) {
    const index = indexOf(one.fields["index"]);
    const button = index === null ? undefined : buttons[index];
    if (index === null || !button) {
      addFault(
        place,
        `${one.at}/index`,
        "unknown",
        `The template has no button here: ${listOf(buttons, place)}. Use the index of one of them.`,
      );
      continue;
    }
    if (seen.has(index))
      addFault(place, `${one.at}/index`, "repeated", `${slotOf(index, place)} is given twice. Remove one of them.`);
    seen.add(index);
    checkButton(button, index, one, place);
  }
  for (const [index, button] of buttons.entries()) {
    if (button.need !== "required" || seen.has(index)) continue;
    const detail = `${slotOf(index, place)} (${button.subType}) is missing: it takes a parameter of type ${button.parameters.join(", ")}. Add a component of type button with this index.`;
    addFault(place, place.at, "missing", detail);
  }
}

const slotOf = (index: number, { of }: Place): string => `Button ${index}${of}`;

function listOf(buttons: readonly ButtonDefinition[], { of }: Place): string {
  const owner = of === "" ? "it" : of.slice(" of ".length);
  if (buttons.length === 0) return `${owner} has none`;
  return `${owner} has ${buttons.map(({ subType }, index) => `${index} (${subType ?? "no parameter"})`).join(", ")}`;
}

function checkButton(button: ButtonDefinition, index: number, sent: Sent, place: Place): void {
  const { subType, need, parameters } = button;
  if (subType === null && need === "optional") return;
  const slot = slotOf(index, place);
  const at = `${sent.at}/parameters`;
  if (sent.fields["sub_type"] !== subType) {
    const detail =
      subType === null
        ? `${slot} takes no parameter. Remove this component.`
        : `${slot} has the sub_type ${subType}: the template has a button of this kind here.`;
    return addFault(place, `${sent.at}/sub_type`, "kind", detail);
  }
  if (need === "required" && sent.parameters.length === 0)
    addFault(
      place,
      at,
      "missing",
      `${slot} takes a parameter of type ${parameters.join(", ")}, and none is given. Add it.`,
    );
  const seen = new Set<unknown>();
  for (const [position, parameter] of sent.parameters.entries()) {
    const { type } = parameter;
    if (position >= parameters.length) {
      const most =
        parameters.length === 0
          ? "no parameter"
          : parameters.length === 1
            ? "one parameter"
            : `${parameters.length} parameters`;
      addFault(place, `${at}/${position}`, "extra", `${slot} takes ${most}. Remove this one.`);
    } else if (typeof type !== "string" || !parameters.includes(type))
      addFault(place, `${at}/${position}/type`, "kind", `${slot} takes a parameter of type ${parameters.join(", ")}.`);
    else if (seen.has(type))
      addFault(place, `${at}/${position}/type`, "repeated", `${slot} takes ${type} once. Remove one of them.`);
    else checkValue(button, slot, type, parameter, `${at}/${position}`, place);
    seen.add(type);
  }
}

function checkValue(
  button: ButtonDefinition,
  slot: string,
  type: string,
  parameter: Fields,
  at: string,
  place: Place,
): void {
  const value = parameter[type];
  const fault = (pointer: string, code: string, detail: string): void => addFault(place, pointer, code, detail);
  if (type === "ttl_minutes") {
    if (value === undefined) fault(`${at}/${type}`, "missing", `${slot} needs its ttl_minutes.`);
  } else if (type === "action") {
    const action = recordOf(value);
    if (action === null) fault(`${at}/action`, "missing", `${slot} needs its object action.`);
    else if (button.subType === "mpm") checkProducts(action, slot, `${at}/action`, place);
  } else if (typeof value !== "string" || value === "") {
    const detail = `${slot} ${value === "" ? "is empty" : `has no ${type}`}: give it at least one character.`;
    fault(`${at}/${type}`, value === "" ? "empty" : "missing", detail);
  } else if (type === "payload" && lengthOf(value) > LONGEST_PAYLOAD)
    fault(
      `${at}/${type}`,
      "too_long",
      `${slot} takes a payload of at most ${LONGEST_PAYLOAD} characters; this has ${lengthOf(value)}. Shorten it.`,
    );
  else if (button.url !== null) checkSuffix(button.url, slot, value, parameter["parameter_name"], at, place);
}

/** A button that shows products needs them, and the one whose picture it shows (Cloud API documentation, sending: template). */
function checkProducts(action: Fields, slot: string, at: string, place: Place): void {
  const missing = (field: string, what: string): void => {
    if (action[field] === undefined)
      addFault(place, `${at}/${field}`, "missing", `${slot} shows products: give action ${what}.`);
  };
  missing(
    "thumbnail_product_retailer_id",
    "its thumbnail_product_retailer_id, the id of the product whose picture is shown",
  );
  missing("sections", "its sections with their product_items");
}

/** The suffix replaces the variable at the end of the URL, as it is: the provider encodes nothing. */
function checkSuffix(
  { text, variables }: TextDefinition,
  slot: string,
  suffix: string,
  name: unknown,
  at: string,
  place: Place,
): void {
  const [variable = ""] = variables;
  if (name !== undefined && name !== variable)
    addFault(
      place,
      `${at}/parameter_name`,
      "unknown",
      `${slot} has the variable ${variable} in its URL. Use this name, or none.`,
    );
  if (/[\s\p{Cc}]/u.test(suffix))
    addFault(
      place,
      `${at}/text`,
      "format",
      `${slot} puts this at the end of ${text}: a URL has no spaces or line breaks. Encode them, a space as %20.`,
    );
  const length = lengthOf(renderText(text, new Map([[variable, suffix]])), LONGEST_URL);
  if (length > LONGEST_URL)
    addFault(
      place,
      `${at}/text`,
      "too_long",
      `${slot} has a URL of ${length} characters with its suffix; at most ${LONGEST_URL} are allowed. Shorten the suffix by ${length - LONGEST_URL}.`,
    );
}

/** The documentation writes the index as a text, several clients as a number (Cloud API documentation, sending: template). */
function indexOf(value: unknown): number | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && /^\d$/.test(text) ? Number(text) : null;
}
