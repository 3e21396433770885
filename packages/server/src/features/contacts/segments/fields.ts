import { invalidAt } from "../../../http/problem.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { seenPhone, whyNoPhone } from "../../../lib/phone/phone-text.ts";
import { MOST_ATTRIBUTE_NAME_CHARACTERS } from "../../identity/contact-limits.ts";
import { withPlus } from "../../identity/find-contact.ts";
import type { Condition } from "../search/condition.ts";
import { withoutAccents } from "../search/fold.ts";
import type { LeafName, Order } from "../search/leaves.sql.ts";
import { phoneForms } from "../search/phone-forms.ts";
import { durationOf } from "./duration.ts";
import { MOST_VALUE_CHARACTERS, MOST_VALUES } from "./limits.ts";

// What can be asked of each field, and the condition that it becomes. `ne` and `not_contains` are the complements of `eq` and
// `contains`: they are true of a contact without the field.

/** One condition of a filter; `pointer` is its place. */
type Asked = { value: unknown; now: number; pointer: string };
type Operator = (asked: Asked) => Condition;
type Field = Readonly<Record<string, Operator>>;
type Scalar = string | number | boolean;

const ATTRIBUTE = new RegExp(`^attributes\\.([\\w.-]{1,${MOST_ATTRIBUTE_NAME_CHARACTERS}})$`);
const CONSENTS = ["unknown", "opted_in", "opted_out"];

const leaf = (name: LeafName, value: unknown): Condition => ({ leaf: name, value });
const not =
  (operator: Operator): Operator =>
  (asked) => ({ not: operator(asked) });

const existing =
  (name: LeafName, value: unknown = null): Operator =>
  (asked) => {
    if (typeof asked.value !== "boolean") throw unfit(asked, "`exists` takes true or false.");
    return asked.value ? leaf(name, value) : { not: leaf(name, value) };
  };

/** `one` reads a value, or throws. */
const listed = <T>(asked: Asked, one: (asked: Asked) => T): T[] => {
  const { value, pointer } = asked;
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_VALUES)
    throw unfit(asked, `\`in\` takes a list of 1 to ${MOST_VALUES} values.`);
  return value.map((item: unknown, index) => one({ ...asked, value: item, pointer: `${pointer}/${index}` }));
};

function text(asked: Asked): string {
  const { value } = asked;
  if (typeof value !== "string" || value.length === 0 || value.length > MOST_VALUE_CHARACTERS || value.includes("\0"))
    throw unfit(asked, `This takes a text of 1 to ${MOST_VALUE_CHARACTERS} characters.`);
  return value;
}

/** A part of a text. Of accents alone nothing is compared, and every text would have it. */
function part(asked: Asked): string {
  const value = text(asked);
  if (withoutAccents(value) === "") throw unfit(asked, "This takes a text with more than accents.");
  return value;
}

const textField = (name: "name" | "email" | "locale"): Field => {
  const eq: Operator = (asked) => leaf(`${name}_in`, [text(asked)]);
  const contains: Operator = (asked) => leaf(`${name}_contains`, part(asked));
  return {
    eq,
    ne: not(eq),
    in: (asked) => leaf(`${name}_in`, listed(asked, text)),
    contains,
    not_contains: not(contains),
    exists: existing(`${name}_exists`),
  };
};

const phone = (asked: Asked): readonly string[] => {
  const forms = phoneForms(text(asked));
  if (forms === null)
    throw unfit(asked, `This takes a phone number with \`+\` and country code; ${whyNoPhone(withPlus(text(asked)))}.`);
  return forms;
};
const phoneIs: Operator = (asked) => leaf("phone_in", phone(asked));
const phoneHas: Operator = (asked) => {
  const digits = seenPhone(text(asked)).replaceAll(/[\s\p{Pd}()./]/gu, "");
  if (!/^\+?\d+$/.test(digits)) throw unfit(asked, "This takes digits, perhaps with a `+` before them.");
  return leaf("phone_contains", digits);
};

const tag: Operator = (asked) => leaf("tag", text(asked));

function consent(asked: Asked): string {
  if (!CONSENTS.includes(asked.value as string)) throw unfit(asked, `This takes one of ${CONSENTS.join(", ")}.`);
  return asked.value as string; // it is one of them
}
const consentIs: Operator = (asked) => leaf("consent_in", [consent(asked)]);

const time =
  (name: LeafName): Operator =>
  (asked) =>
    leaf(name, new Date(timeOf(text(asked), asked.pointer)).toISOString());
const timeField = (name: "last_inbound" | "created"): Field => ({
  gt: time(`${name}_gt`),
  gte: time(`${name}_gte`),
  lt: time(`${name}_lt`),
  lte: time(`${name}_lte`),
  within_last(asked) {
    const ms = durationOf(text(asked));
    if (ms === null)
      throw unfit(asked, "This takes an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as P7D.");
    return leaf(`${name}_gte`, new Date(Math.max(0, asked.now - ms)).toISOString());
  },
});

function attributeField(name: string): Field {
  const value = (asked: Asked): Scalar => {
    if (typeof asked.value === "number" || typeof asked.value === "boolean") return asked.value;
    if (typeof asked.value === "string" && asked.value === "") return "";
    if (typeof asked.value !== "string") throw unfit(asked, "This takes a text, a number, true or false.");
    return text(asked);
  };
  const is = (one: Scalar): Condition => leaf("attribute", { [name]: one });
  const eq: Operator = (asked) => is(value(asked));
  const contains: Operator = (asked) => leaf("attribute_contains", { name, value: part(asked) });
  const order =
    (op: Order): Operator =>
    (asked) => {
      const bound = value(asked);
      if (typeof bound === "boolean") throw unfit(asked, "This takes a number or a text.");
      return leaf(`attribute_${typeof bound === "number" ? "number" : "text"}_${op}`, { name, value: bound });
    };
  return {
    eq,
    ne: not(eq),
    in: (asked) => leaf("attribute_in", { name, values: listed(asked, value) }),
    contains,
    not_contains: not(contains),
    exists: existing("attribute_exists", name),
    gt: order("gt"),
    gte: order("gte"),
    lt: order("lt"),
    lte: order("lte"),
  };
}

const FIELDS: Readonly<Record<string, Field>> = {
  tags: {
    contains: tag,
    not_contains: not(tag),
    in: (asked) => leaf("tags_in", listed(asked, text)),
    exists: existing("tags_exist"),
  },
  name: textField("name"),
  email: textField("email"),
  locale: textField("locale"),
  phone: {
    eq: phoneIs,
    ne: not(phoneIs),
    in: (asked) => leaf("phone_in", listed(asked, phone).flat()),
    contains: phoneHas,
    not_contains: not(phoneHas),
    exists: existing("phone_exists"),
  },
  marketing_consent: {
    eq: consentIs,
    ne: not(consentIs),
    in: (asked) => leaf("consent_in", listed(asked, consent)),
  },
  last_inbound_at: { ...timeField("last_inbound"), exists: existing("last_inbound_exists") },
  created_at: timeField("created"),
};

export const isField = (name: string): boolean => Object.hasOwn(FIELDS, name) || ATTRIBUTE.test(name);

/** The condition of one field; throws 400 where the field has no such `op`, or this one takes no such value. */
export function conditionOf(
  { field, op, value }: { field: string; op: unknown; value: unknown },
  now: number,
  pointer: string,
): Condition {
  const attribute = ATTRIBUTE.exec(field)?.[1];
  const operators = attribute === undefined ? (FIELDS[field] ?? {}) : attributeField(attribute);
  const operator = typeof op === "string" && Object.hasOwn(operators, op) ? operators[op] : undefined;
  if (!operator)
    throw invalidAt(
      `${pointer}/op`,
      `\`${field}\` can be asked by ${Object.keys(operators).join(", ")}.`,
      "unknown_op",
    );
  return operator({ value, now, pointer: `${pointer}/value` });
}

const unfit = ({ pointer }: Asked, detail: string) => invalidAt(pointer, detail, "type");
