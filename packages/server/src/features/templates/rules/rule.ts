import type { FieldError } from "../../../http/problem.ts";

/** What is submitted, as the rules see it; `category` in lower case. */
export type Definition = {
  name: string;
  language: string;
  category: string;
  named: boolean;
  ttlSeconds?: number | undefined;
  components: readonly unknown[];
};

/** What a rule about a part needs of the whole. */
export type Of = Pick<Definition, "category" | "named">;

/** Any object of a definition: components and buttons have fields of their own kinds. */
export type Fields = Readonly<Record<string, unknown>>;

/** A component or button and the JSON pointer to it. */
export type Placed = { at: string; fields: Fields };

/** A rule says what is wrong, and what to do, or nothing. */
export type Rule<Part> = (part: Part, of: Of) => FieldError[];

export const fault = (pointer: string, code: string, detail: string): FieldError => ({ pointer, code, detail });

/** The fault when `wrong`, as a list. */
export const faultIf = (wrong: boolean, pointer: string, code: string, detail: string): FieldError[] =>
  wrong ? [fault(pointer, code, detail)] : [];

export const record = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const upper = (value: unknown): string => (typeof value === "string" ? value.toUpperCase() : "");
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
/** Characters as people count them: one for each code point. */
export const lengthOf = (text: string): number => Array.from(text).length;

/** A text that has to be there, within its length. */
export function textFaults(
  fields: Fields,
  { at, name, most }: { at: string; name: string; most: number },
): FieldError[] {
  const pointer = `${at}/${name}`;
  const value = fields[name];
  if (typeof value !== "string" || value.trim() === "")
    return [fault(pointer, "missing", `Give a ${name} of 1 to ${most} characters.`)];
  return faultIf(lengthOf(value) > most, pointer, "too_long", `Shorten it to at most ${most} characters.`);
}

/** The parts of a list with their pointers. */
export const placed = (values: readonly unknown[], at: string): Placed[] =>
  values.map((value, index) => ({ at: `${at}/${index}`, fields: record(value) }));
