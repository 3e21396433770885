import type { Segment } from "@waypost/sdk";
import { amountOf } from "./duration.ts";
import { ATTRIBUTE, fieldNameOf, kindOf, type Op, opsOf, type ValueKind } from "./fields.ts";

// A segment's filter while it is edited: the tree of the API, so that what is not touched is saved as it was.

/** A value as it is typed; `type`: what it is in JSON. */
export type Scalar = { type: "text" | "number" | "boolean"; text: string };
export type Condition = {
  key: number;
  kind: "condition";
  field: string;
  op: Op;
  values: readonly Scalar[];
  /** Of a list: the value that is being typed, which counts as soon as it is there. */
  next: Scalar;
};
export type Group = { key: number; kind: "all" | "any"; parts: readonly Draft[] };
export type Not = { key: number; kind: "not"; part: Draft };
/** `key`: which one it is, wherever it stands. */
export type Draft = Condition | Group | Not;
export type BoxKind = (Group | Not)["kind"];

/** As the API has them. */
export const MOST_NODES = 100;
export const MOST_DEPTH = 8;
export const MOST_VALUES = 100;

let lastKey = 0;
const newKey = (): number => ++lastKey;

export const NOTHING: Scalar = { type: "text", text: "" };

/** A condition that is yet to be filled in. */
export const newCondition = (): Condition => ({
  key: newKey(),
  kind: "condition",
  field: "tags",
  op: "contains",
  values: emptyValues("tag", false),
  next: NOTHING,
});
export const newGroup = (...parts: readonly Draft[]): Group => ({
  key: newKey(),
  kind: "all",
  parts: parts.length > 0 ? parts : [newCondition()],
});

/** The filter as it can be edited; null where it has a form that this page does not know. */
export function draftOf(filter: unknown): Draft | null {
  if (typeof filter !== "object" || filter === null) return null;
  const { all, any, not, field, op, value } = filter as Record<string, unknown>; // an object has some
  if (Object.keys(filter).length > 1) return conditionOf(field, op, value);
  if (not !== undefined) {
    const part = draftOf(not);
    return part && { key: newKey(), kind: "not", part };
  }
  const given = all ?? any;
  if (!Array.isArray(given)) return null;
  const parts = given.map(draftOf).filter((part) => part !== null);
  return parts.length < given.length ? null : { key: newKey(), kind: all === undefined ? "any" : "all", parts };
}

function conditionOf(field: unknown, op: unknown, value: unknown): Condition | null {
  if (typeof field !== "string" || typeof op !== "string") return null;
  const name = fieldNameOf(field);
  if (name === null || kindOf(name, op) === null || Array.isArray(value) !== (op === "in")) return null;
  const given: unknown[] = Array.isArray(value) ? value : [value];
  const values = given.map(scalarOf).filter((one) => one !== null);
  return values.length < given.length
    ? null
    : { key: newKey(), kind: "condition", field, op: op as Op, values, next: NOTHING };
}

function scalarOf(value: unknown): Scalar | null {
  if (typeof value === "string") return { type: "text", text: value };
  if (typeof value === "number") return { type: "number", text: String(value) };
  return typeof value === "boolean" ? { type: "boolean", text: String(value) } : null;
}

export function filterOf(draft: Draft): Segment["filter"] {
  if (draft.kind === "not") return { not: filterOf(draft.part) };
  if (draft.kind !== "condition") return { [draft.kind]: draft.parts.map(filterOf) };
  const { field, op } = draft;
  const given = valuesOf(draft).map(jsonOf);
  return { field, op, value: op === "in" ? given : given[0] };
}

/** All values, with the one that is being typed. */
const valuesOf = ({ op, values, next }: Condition): readonly Scalar[] =>
  op === "in" && next.text !== "" ? [...values, next] : values;

const jsonOf = ({ type, text }: Scalar): string | number | boolean =>
  type === "number" ? Number(text) : type === "boolean" ? text === "true" : text;

/** What of a condition is yet to be filled in. */
export function missingOf(condition: Condition): "field" | "value" | null {
  const { field, op } = condition;
  const values = valuesOf(condition);
  const name = fieldNameOf(field);
  if (name === null || field === ATTRIBUTE) return "field";
  const kind = kindOf(name, op);
  const canBeEmpty = kind === "scalar" || kind === "ordered";
  const isFilled = ({ type, text }: Scalar): boolean =>
    (text !== "" || (canBeEmpty && type === "text")) && (kind !== "duration" || amountOf(text)?.amount !== "");
  return values.length > 0 && values.every(isFilled) ? null : "value";
}

export const isWhole = (draft: Draft): boolean =>
  draft.kind === "condition"
    ? missingOf(draft) === null
    : draft.kind === "not"
      ? isWhole(draft.part)
      : draft.parts.every(isWhole);

/** Groups and conditions in it. */
export const nodesIn = (draft: Draft): number =>
  1 +
  (draft.kind === "condition"
    ? 0
    : (draft.kind === "not" ? [draft.part] : draft.parts).reduce((sum, part) => sum + nodesIn(part), 0));

/** A box with one of its parts changed, or removed; null: nothing is left of it. */
export function withPart(box: Group | Not, index: number, part: Draft | null): Draft | null {
  if (box.kind === "not") return part && { ...box, part };
  const parts = box.parts.flatMap((one, at) => (at === index ? (part ?? []) : one));
  return parts.length === 0 ? null : { ...box, parts };
}

/** A box that joins its parts in another way, and loses none of them. */
export function joinedBy(box: Group | Not, kind: BoxKind): Group | Not {
  const { key } = box;
  if (box.kind === "not") return kind === "not" ? box : { key, kind, parts: [box.part] };
  if (kind !== "not") return { ...box, kind };
  const [only] = box.parts;
  return { key, kind, part: box.parts.length === 1 && only !== undefined ? only : { ...box, key: newKey() } };
}

/** A condition about another field; what was typed stays where it fits. */
export function withField(condition: Condition, field: string): Condition {
  const name = fieldNameOf(field);
  if (name === null) return condition;
  const op = kindOf(name, condition.op) === null ? (opsOf(name)[0] ?? condition.op) : condition.op;
  return withOp({ ...condition, field }, op, kindOfCondition(condition));
}

/** A condition with another operator. `before`: what its values were of. */
export function withOp(condition: Condition, op: Op, before = kindOfCondition(condition)): Condition {
  const kind = kindOfCondition({ ...condition, op });
  const isList = op === "in";
  const kept = valuesOf(condition).filter((value) => fits(value, kind, before) && value.text !== "");
  const values = isList ? kept : kept.slice(0, 1);
  return { ...condition, op, next: NOTHING, values: values.length > 0 ? values : emptyValues(kind, isList) };
}

export const kindOfCondition = ({ field, op }: Pick<Condition, "field" | "op">): ValueKind => {
  const name = fieldNameOf(field);
  return (name && kindOf(name, op)) ?? "text";
};

const OF_TEXT: readonly ValueKind[] = ["text", "tag", "scalar", "ordered"];
const fits = ({ type }: Scalar, kind: ValueKind, before: ValueKind): boolean =>
  kind === "scalar" || kind === "ordered"
    ? OF_TEXT.includes(before) && (kind === "scalar" || type !== "boolean")
    : kind === before || (OF_TEXT.includes(kind) && OF_TEXT.includes(before) && type === "text");

/** What a condition begins with. */
function emptyValues(kind: ValueKind, isList: boolean): readonly Scalar[] {
  if (isList) return [];
  if (kind === "boolean") return [{ type: "boolean", text: "true" }];
  return [{ type: "text", text: kind === "consent" ? "opted_in" : kind === "duration" ? "P7D" : "" }];
}
