import { withoutAccents } from "./fold.ts";
import type { LeafName } from "./leaves.sql.ts";

/** What contacts must fulfil. Empty `all` is true of every contact. */
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | { leaf: LeafName; value: unknown };

export const EVERY_CONTACT: Condition = { all: [] };

/**
 * A condition in the form that the database functions take is a list of steps in postfix order. `of`: joins so many of the conditions
 * before it. `at`: the place of its value.
 */
export type Step = { do: "all" | "any" | "not"; of: number } | { do: LeafName; at: number };

/**
 * A condition; what it implies that the search index can answer by itself, null where that is nothing; and what contacts have that
 * the index then compares, which for a text are more than have it.
 */
export type Search = { filter: Step[]; narrow: Step[] | null; sample: Step[] | null; values: unknown[] };

export function searchOf(condition: Condition): Search {
  const values: unknown[] = [];
  const possible = narrowed(condition);
  const narrow = possible && leavesOf(possible) <= MOST_INDEXED ? possible : null;
  return {
    filter: isEveryContact(condition) ? [] : stepsOf(condition, values),
    narrow: narrow && stepsOf(narrow, values),
    sample: narrow && stepsOf(sampled(narrow), values),
    values,
  };
}

/** Planning to ask the index for so many takes some ten milliseconds, for ten times as many a second. */
const MOST_INDEXED = 200;

function leavesOf(condition: Condition): number {
  if ("leaf" in condition) return 1;
  if ("not" in condition) return leavesOf(condition.not);
  return ("all" in condition ? condition.all : condition.any).reduce((sum, part) => sum + leavesOf(part), 0);
}

const isEveryContact = (condition: Condition): boolean =>
  "all" in condition && condition.all.every((part) => isEveryContact(part));

function stepsOf(condition: Condition, values: unknown[]): Step[] {
  if ("leaf" in condition) return [{ do: condition.leaf, at: values.push(condition.value) - 1 }];
  if ("not" in condition) return [...stepsOf(condition.not, values), { do: "not", of: 1 }];
  const [group, parts] = "all" in condition ? (["all", condition.all] as const) : (["any", condition.any] as const);
  return [...parts.flatMap((part) => stepsOf(part, values)), { do: group, of: parts.length }];
}

/**
 * The part of a condition that the index answers: of `all` what it can of its parts, of `any` only if it can each of them. What is
 * left out makes it true of more contacts, never of fewer.
 */
export function narrowed(condition: Condition): Condition | null {
  if ("leaf" in condition) return indexed(condition.leaf, condition.value);
  if ("not" in condition) return null;
  if ("any" in condition) {
    const parts = condition.any.map(narrowed);
    const all = parts.filter((part) => part !== null);
    return all.length === parts.length && all.length > 0 ? { any: all } : null;
  }
  const parts = condition.all.map(narrowed).filter((part) => part !== null);
  return parts.length === 0 ? null : { all: parts };
}

/** What the index says to a leaf: of a text in one field, that it is in one of them. */
function indexed(leaf: LeafName, value: unknown): Condition | null {
  if (leaf === "tag" || leaf === "tags_in" || leaf === "attribute") return { leaf, value };
  if (leaf === "attribute_in") {
    const { name, values } = value as { name: string; values: readonly unknown[] };
    return { any: values.map((one) => ({ leaf: "attribute", value: { [name]: one } })) };
  }
  if (leaf === "text" || leaf === "name_contains" || leaf === "email_contains" || leaf === "phone_contains")
    return textIndexed(String(value));
  if (leaf === "attribute_contains") return textIndexed((value as { value: string }).value);
  return null;
}

/** The index is of the groups of three letters and digits that texts have: where there is none, it would give every contact. */
const THREE_IN_A_ROW = /[\p{L}\p{N}]{3}/u;
const textIndexed = (text: string): Condition | null =>
  THREE_IN_A_ROW.test(withoutAccents(text)) ? { leaf: "text", value: text } : null;

/** The groups of three that the index knows of a text, anywhere in a contact's. */
function sampled(condition: Condition): Condition {
  if ("leaf" in condition)
    return condition.leaf === "text"
      ? { leaf: "text_parts", value: groupsOfThree(String(condition.value)) }
      : condition;
  if ("not" in condition) return condition;
  return "all" in condition ? { all: condition.all.map(sampled) } : { any: condition.any.map(sampled) };
}

const groupsOfThree = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].flatMap(([word]) => {
      const signs = Array.from(word.normalize("NFC"));
      return signs.slice(2).map((_, index) => signs.slice(index, index + 3).join(""));
    }),
  ),
];

/** Whether the index is asked for text: then each contact that it gives is read and compared, which takes longer. */
export const asksForText = (steps: readonly Step[]): boolean => steps.some((step) => step.do === "text");

/** ISO time before which no contact that fulfils the condition was created; null: there is none. */
export function createdSince(condition: Condition): string | null {
  if ("leaf" in condition)
    return condition.leaf === "created_gt" || condition.leaf === "created_gte" ? String(condition.value) : null;
  if ("not" in condition) return null;
  const times = ("all" in condition ? condition.all : condition.any).map(createdSince);
  const known = times.filter((time) => time !== null).toSorted();
  if ("all" in condition) return known.at(-1) ?? null;
  return known.length === times.length ? (known[0] ?? null) : null;
}
