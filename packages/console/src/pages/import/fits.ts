/** The rules of a schema that are checked here; all that the schema of a contact has. */
export type Rules = {
  type?: string | readonly string[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  enum?: readonly unknown[];
  items?: Rules;
  maxItems?: number;
  anyOf?: readonly Rules[];
  patternProperties?: Readonly<Record<string, Rules>>;
  maxProperties?: number;
  additionalProperties?: boolean;
};

/** Whether the API would take the value. Lengths of texts are counted in code points. */
export function fits(rules: Rules, value: unknown): boolean {
  const { type, anyOf, enum: values } = rules;
  if (type !== undefined && ![type].flat().includes(typeOf(value))) return false;
  if (values !== undefined && !values.includes(value)) return false;
  if (anyOf !== undefined && !anyOf.some((one) => fits(one, value))) return false;
  if (typeof value === "string") return textFits(rules, value);
  if (Array.isArray(value)) return listFits(rules, value);
  return typeof value !== "object" || value === null || entriesFit(rules, Object.entries(value));
}

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

function textFits({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: Rules, value: string): boolean {
  const length = Array.from(value).length;
  return length >= minLength && length <= maxLength && (pattern === undefined || new RegExp(pattern, "u").test(value));
}

const listFits = ({ maxItems = Number.POSITIVE_INFINITY, items = {} }: Rules, value: readonly unknown[]): boolean =>
  value.length <= maxItems && value.every((item) => fits(items, item));

function entriesFit(rules: Rules, entries: readonly [string, unknown][]): boolean {
  const { maxProperties = Number.POSITIVE_INFINITY, patternProperties = {}, additionalProperties = true } = rules;
  const patterns = Object.entries(patternProperties).map(([pattern, one]) => [new RegExp(pattern, "u"), one] as const);
  return (
    entries.length <= maxProperties &&
    entries.every(([name, value]) => {
      const known = patterns.find(([pattern]) => pattern.test(name));
      return known === undefined ? additionalProperties : fits(known[1], value);
    })
  );
}
