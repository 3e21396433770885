import type { Contact } from "../../schema.ts";
import type { SegmentFilter } from "../schema.ts";

// What a filter means, said once more in plain code on a contact as the API returns it: the measure of the SQL.

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase();
const DURATION = /^P(\d+)D$/;

/** Compares two values of one type, texts by their code points; null where they are not of one type. */
function compared(one: unknown, other: unknown): number | null {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string") return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return null;
}

function holds(op: string, actual: unknown, value: unknown, now: number): boolean {
  const order = compared(actual, value);
  switch (op) {
    case "eq":
      return actual === value;
    case "ne":
      return actual !== value;
    case "in":
      return (value as unknown[]).includes(actual);
    case "contains":
      return Array.isArray(actual)
        ? actual.includes(value)
        : typeof actual === "string" && fold(actual).includes(fold(String(value)));
    case "not_contains":
      return !holds("contains", actual, value, now);
    case "exists":
      return (actual !== null && actual !== undefined && !(Array.isArray(actual) && actual.length === 0)) === value;
    case "gt":
      return order !== null && order > 0;
    case "gte":
      return order !== null && order >= 0;
    case "lt":
      return order !== null && order < 0;
    case "lte":
      return order !== null && order <= 0;
    case "within_last": {
      const days = Number(DURATION.exec(String(value))?.[1]);
      return typeof actual === "string" && Date.parse(actual) >= now - days * 86_400_000;
    }
    default:
      throw new Error(`there is no ${op}`);
  }
}

/** Whether a contact fits a filter at `now` (ms). Numbers and times must be in the form in which the API returns them. */
export function fits(filter: SegmentFilter, contact: Contact, now: number): boolean {
  if (filter.all) return filter.all.every((part) => fits(part, contact, now));
  if (filter.any) return filter.any.some((part) => fits(part, contact, now));
  if (filter.not) return !fits(filter.not, contact, now);
  const { field = "", op = "", value } = filter;
  const attribute = /^attributes\.(.+)$/.exec(field)?.[1];
  const actual = attribute === undefined ? contact[field as keyof Contact] : contact.attributes[attribute];
  if (field === "tags" && op === "in") return contact.tags.some((tag) => (value as string[]).includes(tag));
  return holds(op, actual, value, now);
}
