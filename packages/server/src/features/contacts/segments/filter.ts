import { invalidAt, type Problem, pointerToken } from "../../../http/problem.ts";
import type { Condition } from "../search/condition.ts";
import { conditionOf, isField } from "./fields.ts";
import { MOST_DEPTH, MOST_NODES } from "./limits.ts";

const GROUPS = ["all", "any", "not"] as const;
const FORMS =
  'A node is {"all": […]}, {"any": […]}, {"not": {…}} or {"field": …, "op": …, "value": …}, with nothing beside it.';
const CONDITION = ["field", "op", "value"];

type Node = Record<string, unknown>;

/**
 * The condition that a segment's filter stands for at `now` (ms); `within_last` counts from it. Throws 400 with the pointer of the
 * node that is wrong. `pointer` is the filter's own.
 */
export function parseFilter(filter: unknown, now: number, pointer = "/filter"): Condition {
  return parse(filter, { now, nodes: { left: MOST_NODES }, depth: 1, pointer });
}

type Place = { now: number; nodes: { left: number }; depth: number; pointer: string };

function parse(node: unknown, place: Place): Condition {
  if (!isNode(node)) throw invalidAt(place.pointer, FORMS, "type");
  place.nodes.left -= 1;
  if (place.nodes.left < 0)
    throw invalidAt(place.pointer, `A filter has at most ${MOST_NODES} groups and conditions.`, "too_many");
  if (place.depth > MOST_DEPTH)
    throw invalidAt(place.pointer, `Groups of a filter are at most ${MOST_DEPTH} levels deep.`, "too_deep");
  const group = GROUPS.find((name) => name in node);
  if (group === undefined) return condition(node, place);
  if (Object.keys(node).length > 1) throw stray(node, [group], place);
  if (group === "not") return { not: parse(node["not"], below(place, "not")) };
  const parts = node[group];
  if (!Array.isArray(parts) || parts.length === 0)
    throw invalidAt(`${place.pointer}/${group}`, "This is a list of at least one node.", "type");
  const parsed = parts.map((part, index) => parse(part, below(place, `${group}/${index}`)));
  return group === "all" ? { all: parsed } : { any: parsed };
}

function condition(node: Node, place: Place): Condition {
  const missing = CONDITION.find((name) => !(name in node));
  if (missing !== undefined) throw invalidAt(place.pointer, `\`${missing}\` is missing. ${FORMS}`, "required");
  if (Object.keys(node).length > CONDITION.length) throw stray(node, CONDITION, place);
  const { field, op, value } = node;
  if (typeof field !== "string" || !isField(field))
    throw invalidAt(
      `${place.pointer}/field`,
      "Fields are tags, attributes.<name>, name, email, phone, locale, marketing_consent, last_inbound_at and created_at.",
      "unknown_field",
    );
  return conditionOf({ field, op, value }, place.now, place.pointer);
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const below = (place: Place, step: string): Place => ({
  ...place,
  depth: place.depth + 1,
  pointer: `${place.pointer}/${step}`,
});
function stray(node: Node, known: readonly string[], { pointer }: Place): Problem {
  const name = Object.keys(node).find((key) => !known.includes(key)) ?? "";
  return invalidAt(`${pointer}/${pointerToken(name)}`, FORMS, "unknown_field");
}
