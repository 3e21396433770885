import type { FieldError } from "../../../http/problem.ts";
import {
  fault,
  faultIf,
  lengthOf,
  list,
  type Of,
  type Placed,
  placed,
  record,
  textFaults,
  textOf,
  upper,
} from "./rule.ts";
import { variablesOf } from "./variables.ts";

const MOST_BUTTONS = 10;
/** How many buttons of a kind a template has (Cloud API documentation, templates: components, buttons). */
const MOST_OF_KIND: Readonly<Record<string, number>> = { URL: 2, PHONE_NUMBER: 1, COPY_CODE: 1, OTP: 1, FLOW: 1 };
const LONGEST_QUICK_REPLY = 25;
const LONGEST_URL = 2_000;
const LONGEST_PHONE = 20;
/** The documentation of 2026; earlier it was 15. */
const LONGEST_COUPON = 20;
const OTP_TYPES = ["COPY_CODE", "ONE_TAP", "ZERO_TAP"];

type ButtonRule = (button: Placed) => FieldError[];

/** Rules by kind of button. Other kinds are the provider's to check. */
const BUTTON_RULES: Readonly<Record<string, ButtonRule>> = {
  QUICK_REPLY: ({ at, fields }) => textFaults(fields, { at, name: "text", most: LONGEST_QUICK_REPLY }),
  URL: urlFaults,
  PHONE_NUMBER: ({ at, fields }) => textFaults(fields, { at, name: "phone_number", most: LONGEST_PHONE }),
  COPY_CODE: couponFaults,
  OTP: otpFaults,
  FLOW: flowFaults,
};

/** The component BUTTONS: its number of buttons, their kinds and order, and each of them. */
export function buttonsFaults({ at, fields }: Placed, of: Of): FieldError[] {
  const place = `${at}/buttons`;
  const buttons = placed(list(fields["buttons"]), place);
  if (buttons.length === 0)
    return [fault(place, "missing", `Give 1 to ${MOST_BUTTONS} buttons, or remove this component.`)];
  return [...groupFaults(buttons, place, of), ...eachButtonFaults(buttons)];
}

/** The rules of each button by itself. */
export const eachButtonFaults = (buttons: readonly Placed[]): FieldError[] =>
  buttons.flatMap((button) => {
    const kind = kindOf(button);
    if (kind === "") return [fault(`${button.at}/type`, "missing", "Give the type of the button.")];
    return BUTTON_RULES[kind]?.(button) ?? [];
  });

const kindOf = ({ fields }: Placed): string => upper(fields["type"]);

function groupFaults(buttons: readonly Placed[], place: string, { category }: Of): FieldError[] {
  const kinds = buttons.map(kindOf);
  const crowded = Object.entries(MOST_OF_KIND).filter(
    ([kind, most]) => kinds.filter((one) => one === kind).length > most,
  );
  return [
    ...faultIf(kinds.length > MOST_BUTTONS, place, "too_many", `Leave at most ${MOST_BUTTONS} buttons.`),
    ...crowded.map(([kind, most]) => fault(place, "too_many", `Leave at most ${most} of the kind ${kind}.`)),
    ...faultIf(
      isScattered(kinds),
      place,
      "not_grouped",
      "Put the quick replies together, before or after all other buttons.",
    ),
    ...faultIf(
      category === "authentication" && kinds.some((kind) => kind !== "OTP"),
      place,
      "unexpected",
      "An authentication template has a button of the kind OTP and no other.",
    ),
  ];
}

/** Quick replies have others on both sides, or between them. */
function isScattered(kinds: readonly string[]): boolean {
  const changes = kinds.filter(
    (kind, index) => index > 0 && (kind === "QUICK_REPLY") !== (kinds[index - 1] === "QUICK_REPLY"),
  );
  return changes.length > 1;
}

function urlFaults({ at, fields }: Placed): FieldError[] {
  const place = `${at}/url`;
  const url = textOf(fields["url"]);
  const variables = variablesOf(url);
  const example = fields["example"];
  const sample = Array.isArray(example) ? example[0] : example;
  return [
    ...textFaults(fields, { at, name: "url", most: LONGEST_URL }),
    ...faultIf(
      variables.length > 1 || (variables.length === 1 && !url.endsWith("}}")),
      place,
      "invalid_variable",
      "A URL has at most one variable, at its end.",
    ),
    ...faultIf(
      variables.length === 1 && textOf(sample).trim() === "",
      `${at}/example`,
      "samples_mismatch",
      'Give a sample for the variable of the URL: `"example":["…"]`.',
    ),
  ];
}

function couponFaults({ at, fields }: Placed): FieldError[] {
  const example = fields["example"];
  const code = textOf(Array.isArray(example) ? example[0] : example);
  const place = `${at}/example`;
  return [
    ...faultIf(
      code === "",
      place,
      "missing",
      `Give a sample code of at most ${LONGEST_COUPON} characters as \`example\`.`,
    ),
    ...faultIf(
      lengthOf(code) > LONGEST_COUPON,
      place,
      "too_long",
      `Shorten it to at most ${LONGEST_COUPON} characters.`,
    ),
  ];
}

function otpFaults({ at, fields }: Placed): FieldError[] {
  const kind = upper(fields["otp_type"]);
  if (!OTP_TYPES.includes(kind)) return [fault(`${at}/otp_type`, "unsupported", `Use one of ${OTP_TYPES.join(", ")}.`)];
  const apps = list(fields["supported_apps"]).map(record);
  const isNamed = (one: Readonly<Record<string, unknown>>): boolean =>
    textOf(one["package_name"]) !== "" && textOf(one["signature_hash"]) !== "";
  const hasApp = isNamed(fields) || (apps.length > 0 && apps.every(isNamed));
  const detail =
    "A one-tap button opens your app: give `package_name` and `signature_hash`, for each app in `supported_apps`.";
  return faultIf(kind === "ONE_TAP" && !hasApp, `${at}/supported_apps`, "missing", detail);
}

function flowFaults({ at, fields }: Placed): FieldError[] {
  const names = ["flow_id", "flow_name", "flow_json"];
  const isGiven = names.some((name) => fields[name] !== undefined && fields[name] !== "");
  return faultIf(!isGiven, `${at}/flow_id`, "missing", `Name the flow by one of ${names.join(", ")}.`);
}
