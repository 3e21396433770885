import type { FieldError } from "../../../http/problem.ts";
import { fault, faultIf, list, type Of, record, textOf } from "./rule.ts";

const ANY_BRACES = /\{\{([^{}]*)\}\}/g;
const POSITION = /^[1-9]\d{0,3}$/;
/** A number is a position. */
const NAME = /^(?!\d+$)[a-z0-9_]+$/;

/** What stands between the braces of each variable, in the order of the text. */
export const variablesOf = (text: string): string[] => [...text.matchAll(ANY_BRACES)].map((match) => match[1] ?? "");

/** Of a name, what a fault quotes: an answer must not grow with the text that it refuses. */
const QUOTED_CHARACTERS = 40;
const clipped = (name: string): string =>
  name.length > QUOTED_CHARACTERS ? `${Array.from(name).slice(0, QUOTED_CHARACTERS).join("")}…` : name;
const shown = (name: string | undefined): string => `{{${clipped(name ?? "")}}}`;

/** How the variables of a text are written: positions counted from 1 without gaps, or names, and not both. */
export function variableFaults(text: string, at: string, { named }: Pick<Of, "named">): FieldError[] {
  const variables = variablesOf(text);
  const wrong = variables.filter((one) => !(named ? NAME : POSITION).test(one));
  if (wrong.length > 0) {
    const how = named
      ? "Write each as {{name}} with lower-case letters, digits and underscores, or set `parameter_format` to positional."
      : "Number them {{1}}, {{2}} … without spaces, or set `parameter_format` to named.";
    return [
      fault(at, "invalid_variable", `${shown(wrong[0])} is not a ${named ? "named" : "positional"} variable. ${how}`),
    ];
  }
  const positions = new Set(variables);
  const isContiguous = named || [...positions].every((one) => Number(one) <= positions.size);
  return faultIf(!isContiguous, at, "not_contiguous", "Number the variables from {{1}} on without gaps.");
}

/** Scripts that put no spaces between words: each character counts. */
const WORD = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]|[\p{L}\p{N}]+/gu;

/** Words beside the variables: fewer of them than variables are surely too few (2388293); the provider's own ratio is not documented. */
export function edgeAndRatioFaults(text: string, at: string): FieldError[] {
  const count = variablesOf(text).length;
  const words = text.replaceAll(ANY_BRACES, " ").match(WORD)?.length ?? 0;
  return [
    ...faultIf(
      /^\s*\{\{[^{}]*\}\}|\{\{[^{}]*\}\}\s*$/.test(text),
      at,
      "variable_at_edge",
      "Put text before the first variable and after the last one.",
    ),
    ...faultIf(
      words < count,
      at,
      "too_many_variables",
      "Write more text for so many variables, or use fewer variables.",
    ),
  ];
}

/** Keys of a component's `example`: the list of positional samples, and that of named ones. */
type Samples = { positional: string; named: string; nested: boolean };
export const BODY_SAMPLES: Samples = { positional: "body_text", named: "body_text_named_params", nested: true };
export const HEADER_SAMPLES: Samples = { positional: "header_text", named: "header_text_named_params", nested: false };

/** Each variable needs a sample value. */
export function sampleFaults(
  { text, example }: { text: string; example: unknown },
  { at, keys, named }: { at: string; keys: Samples; named: boolean },
): FieldError[] {
  const variables = [...new Set(variablesOf(text))];
  if (variables.length === 0) return [];
  const given = record(example)[named ? keys.named : keys.positional];
  const pointer = `${at}/example/${named ? keys.named : keys.positional}`;
  return named
    ? namedSampleFaults(given, variables, pointer)
    : positionalSampleFaults(given, variables, { pointer, keys });
}

function positionalSampleFaults(
  given: unknown,
  variables: readonly string[],
  { pointer, keys }: { pointer: string; keys: Samples },
): FieldError[] {
  const outer = list(given);
  // Several sets of samples are allowed; the first one counts.
  const values = keys.nested && Array.isArray(outer[0]) ? list(outer[0]) : outer;
  const usable = values.filter((value) => textOf(value).trim() !== "");
  const count = variables.length;
  const detail = `Give ${count} sample value${count === 1 ? "" : "s"}, one for each variable, as texts that are not empty.`;
  return faultIf(values.length !== count || usable.length !== count, pointer, "samples_mismatch", detail);
}

function namedSampleFaults(given: unknown, variables: readonly string[], pointer: string): FieldError[] {
  const samples = list(given).map(record);
  const usable = new Set(
    samples.filter((one) => textOf(one["example"]).trim() !== "").map((one) => textOf(one["param_name"])),
  );
  const names = new Set(variables);
  return [
    ...variables
      .filter((name) => !usable.has(name))
      .map((name) =>
        fault(pointer, "samples_mismatch", `Give {"param_name":"${clipped(name)}","example":"…"} for ${shown(name)}.`),
      ),
    ...faultIf(
      samples.some((one) => !names.has(textOf(one["param_name"]))),
      pointer,
      "samples_mismatch",
      "Remove the samples of variables that the text does not have.",
    ),
  ];
}
