import { NEW_CONTACT } from "../../api/new-contact.gen.ts";
import { filledBy, type Target } from "./columns.ts";
import { isFilled } from "./csv-head.ts";
import { fits, type Rules } from "./fits.ts";
import { type PhoneFault, phoneFaultOf } from "./phone-fault.ts";

/** Fields about whose values the schema of a contact decides alone; a fault of theirs is said by what the field takes. */
export type CheckedField = "name" | "email" | "locale" | "tags" | "marketing_consent" | "attributes";

export type FaultReason =
  | PhoneFault
  | { kind: "missing" | "id" | "twice" | "cells" | "number" | "boolean" | "json" }
  | { kind: "field"; field: CheckedField };

/** Why the gateway would refuse a row. `column`: the place of the cell, from 0; null for the row as a whole. */
export type RowFault = FaultReason & { column: number | null };

const RULES: Readonly<Record<CheckedField | "phone", Rules>> = NEW_CONTACT.properties;
const ID = /^con_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * What is wrong with the cells of a row, by the checks that need no more than the row. An empty cell says nothing, and there may be more
 * empty ones than columns; fewer are a row that was cut off.
 */
export function faultsOfRow(cells: readonly string[], targets: readonly Target[]): RowFault[] {
  if (cells.length < targets.length || cells.slice(targets.length).some(isFilled))
    return [{ kind: "cells", column: null }];
  const faults: RowFault[] = [];
  const given = new Map<string, string>();
  for (const [column, target] of targets.entries()) {
    const cell = plain(cells[column] ?? "");
    const filled = filledBy(target);
    if (target === null || filled === null || !isFilled(cell)) continue;
    const other = given.get(filled);
    const reason: FaultReason | null =
      other !== undefined && other !== cell.trim() ? { kind: "twice" } : cellFaultOf(cell, target);
    given.set(filled, cell.trim());
    if (reason !== null) faults.push({ ...reason, column });
  }
  return [...personFaults(given, targets), ...faults];
}

/** Exports put `'` before a cell that a spreadsheet would take for a formula. */
const plain = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

/** Who a row is about: a number, or without one the id of a contact. */
function personFaults(given: ReadonlyMap<string, string>, targets: readonly Target[]): RowFault[] {
  const placeOf = (field: string): number | null => {
    const place = targets.findIndex((target) => target?.field === field);
    return place < 0 ? null : place;
  };
  const phone = given.get("phone");
  const id = given.get("id")?.replaceAll(UNSEEN, "").trim();
  const hasId = id !== undefined && ID.test(id);
  if (phone === undefined) {
    if (id === undefined) return [{ kind: "missing", column: placeOf("phone") ?? placeOf("id") }];
    return hasId ? [] : [{ kind: "id", column: placeOf("id") }];
  }
  const fault = phoneFaultOf(phone);
  // The provider has numbers that are possible nowhere: an id beside one says whose it is.
  if (fits(RULES.phone, phone) && (fault === null || hasId)) return [];
  return [{ ...(fault ?? { kind: "long" }), column: placeOf("phone") }];
}

function cellFaultOf(cell: string, target: NonNullable<Target>): FaultReason | null {
  const text = cell.trim();
  switch (target.field) {
    case "phone":
    case "id":
      return null;
    case "name":
      return refusedBy("name", cell);
    case "tags":
      return refusedBy("tags", tagsIn(text));
    case "marketing_consent":
      return text === "unknown" ? null : refusedBy("marketing_consent", text); // as an export says it
    case "attributes": {
      const value = jsonIn(text);
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      return isObject ? refusedBy("attributes", value) : { kind: "json" };
    }
    case "attribute":
      return attributeFaultOf(cell, target);
    default:
      return refusedBy(target.field, text);
  }
}

function attributeFaultOf(cell: string, { name, type }: Target & { field: "attribute" }): FaultReason | null {
  const text = cell.trim().toLowerCase();
  if (type === "number") return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? null : { kind: "number" };
  if (type === "boolean") return text === "true" || text === "false" ? null : { kind: "boolean" };
  return refusedBy("attributes", { [name]: cell });
}

const refusedBy = (field: CheckedField, value: unknown): FaultReason | null =>
  fits(RULES[field], value) ? null : { kind: "field", field };

/** Separated by `;` or `|`; a JSON array where a tag has one of them itself. */
function tagsIn(text: string): unknown[] {
  const list = text.startsWith("[") ? jsonIn(text) : null;
  return Array.isArray(list) ? list : text.split(/[;|]/).flatMap((tag) => tag.trim() || []);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
