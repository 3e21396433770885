import { LOCALE, text } from "../../text/text.ts";
import { type Condition, type Draft, draftOf, kindOfCondition } from "./draft.ts";
import { ATTRIBUTE, type FieldName, fieldNameOf } from "./fields.ts";
import { labelOfOp, shownValue } from "./labels.ts";

const words = text.segment;
const LISTS = {
  all: new Intl.ListFormat(LOCALE, { type: "conjunction" }),
  any: new Intl.ListFormat(LOCALE, { type: "disjunction" }),
};

/** A filter as a sentence; a form that is not known, as the API has it. */
export function inWords(filter: unknown): string {
  const draft = draftOf(filter);
  return draft === null ? JSON.stringify(filter) : said(draft, true);
}

function said(draft: Draft, isOutermost: boolean): string {
  if (draft.kind === "condition") return conditionInWords(draft);
  if (draft.kind === "not") return words.isNot(inBrackets(said(draft.part, true), false));
  const parts = draft.parts.map((part) => said(part, draft.parts.length === 1 && isOutermost));
  return inBrackets(LISTS[draft.kind].format(parts), isOutermost || parts.length === 1);
}

const inBrackets = (sentence: string, isPlain: boolean): string => (isPlain ? sentence : `(${sentence})`);

function conditionInWords(condition: Condition): string {
  const name = fieldNameOf(condition.field);
  const field = labelOfField(condition.field, name);
  if (condition.op === "exists")
    return condition.values[0]?.text === "true" ? words.known(field) : words.unknown(field);
  const kind = kindOfCondition(condition);
  const values = condition.values.map((value) => {
    const shown = isolated(shownValue(kind, value));
    return value.type === "text" && kind !== "time" && kind !== "duration" ? words.quoted(shown) : shown;
  });
  return `${field} ${labelOfOp(name, condition.op)} ${LISTS.any.format(values)}`;
}

/** A text of people among ours: its direction moves nothing around it. */
const isolated = (given: string): string => `\u2068${given}\u2069`;

/** What people read for a field; an attribute has its own name. */
const labelOfField = (field: string, name: FieldName | null): string =>
  name === "attributes" ? isolated(field.slice(ATTRIBUTE.length)) : name === null ? field : words.fields[name];
