import type { Random } from "../../faults/random.ts";

export type Schema = { [keyword: string]: unknown };
export type Definitions = Readonly<Record<string, Schema>>;

/** A value that a schema may take: its example where it has one, else one made up. `depth` ends what refers to itself. */
export function valueOf(random: Random, schema: Schema, definitions: Definitions, depth = 0): unknown {
  const of = (part: unknown): unknown => valueOf(random, part as Schema, definitions, depth + 1);
  if (typeof schema["$ref"] === "string") return of(definitions[schema["$ref"].split("/").at(-1) ?? ""] ?? {});
  if (Array.isArray(schema["examples"]) && random.next() < 0.7) return random.pick(schema["examples"]);
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(schema["enum"])) return random.pick(schema["enum"]);
  for (const several of ["oneOf", "anyOf"])
    if (Array.isArray(schema[several])) return of(random.pick(schema[several] as unknown[]));
  const types = [schema["type"]].flat();
  switch (types.length > 0 ? random.pick(types) : "null") {
    case "object":
      return objectOf(random, schema, of, depth);
    case "array":
      return Array.from({ length: random.between(Number(schema["minItems"] ?? 0), 2) }, () =>
        of(schema["items"] ?? {}),
      );
    case "integer":
    case "number":
      return random.between(Number(schema["minimum"] ?? 0), Number(schema["maximum"] ?? 1_000));
    case "boolean":
      return random.next() < 0.5;
    case "string":
      return random.pick(TEXTS);
    default:
      return null;
  }
}

function objectOf(random: Random, schema: Schema, of: (part: unknown) => unknown, depth: number): object {
  const required = new Set((schema["required"] ?? []) as string[]);
  const taken = Object.entries((schema["properties"] ?? {}) as Schema).filter(
    ([name]) => required.has(name) || (depth < 4 && random.next() < 0.4),
  );
  return Object.fromEntries(taken.map(([name, part]) => [name, of(part)]));
}

/** What a schema takes, and what a client may write instead. */
export const TEXTS = [
  "+15552010001",
  "+15552010002",
  "order_ready",
  "en_US",
  "https://example.com/hook",
  "2026-01-31T10:00:00Z",
  "Ana",
  "vip",
  "",
  " ",
  "x".repeat(5_000),
  "a\u0000b",
  "\ud800",
  "\u202eright to left",
  "👩‍👩‍👧 family",
  "'; drop table message; --",
  "../../etc/passwd",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "%00",
  "NaN",
  "٣٤٥",
] as const;

const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e21,
  0.1,
  9_007_199_254_740_992,
  [],
  {},
  [[[[[[]]]]]],
  { __proto__: null, constructor: 1 },
  ...TEXTS,
];

/** The value with one part taken out, put in, or replaced by what does not belong there. */
export function spoiled(random: Random, value: unknown): unknown {
  if (typeof value !== "object" || value === null || random.next() < 0.15) return random.pick(HOSTILE);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.next() < 0.2) return [...value, random.pick(HOSTILE)];
    const place = random.between(0, value.length - 1);
    return value.with(place, spoiled(random, value[place]));
  }
  const names = Object.keys(value);
  const name = names.length > 0 ? random.pick(names) : "";
  const part = (value as Record<string, unknown>)[name];
  const { [name]: _, ...others } = value as Record<string, unknown>;
  switch (random.between(0, 5)) {
    case 0:
      return others;
    case 1:
      return { ...value, [random.pick(["colour", "__proto__x", "", "TO", "constructor"])]: random.pick(HOSTILE) };
    case 2:
      return { ...others, [name.toUpperCase()]: part };
    default:
      return { ...value, [name]: spoiled(random, part) };
  }
}
