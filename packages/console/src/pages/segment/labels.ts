import { exactDate } from "../../parts/time-format.ts";
import { zone } from "../../preferences.ts";
import { LOCALE, text } from "../../text/text.ts";
import type { Scalar } from "./draft.ts";
import { amountOf } from "./duration.ts";
import { CONSENTS, type FieldName, type Op, type ValueKind } from "./fields.ts";

const words = text.segment;

/** A value of a filter as people read it. */
export function shownValue(kind: ValueKind, { type, text: given }: Scalar): string {
  if (type === "boolean") return given === "true" ? words.yes : words.no;
  if (type === "number") return given;
  if (kind === "consent") {
    const consent = CONSENTS.find((one) => one === given);
    return consent === undefined ? given : text.contacts.consents[consent];
  }
  if (kind === "time") return Number.isNaN(Date.parse(given)) ? given : exactDate(Date.parse(given), zone.get());
  if (kind === "duration") return shownDuration(given);
  return given;
}

function shownDuration(given: string): string {
  const found = amountOf(given);
  if (found === null) return given;
  return new Intl.NumberFormat(LOCALE, { style: "unit", unit: found.unit, unitDisplay: "long" }).format(
    Number(found.amount),
  );
}

/** What people read for an operator of a field. */
export function labelOfOp(name: FieldName | null, op: Op): string {
  if (name === "tags") return { ...words.ops, ...words.tagOps }[op];
  if (name === "last_inbound_at" || name === "created_at") return { ...words.ops, ...words.timeOps }[op];
  return words.ops[op];
}
