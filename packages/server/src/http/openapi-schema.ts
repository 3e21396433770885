import type { Schema } from "./schemas.ts";

/** The same schema with `Name#`, as the validator calls a definition, written as the document's own reference. */
export function namedReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namedReferences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Schema).map(([keyword, inner]) => [
      keyword,
      keyword === "$ref" && typeof inner === "string" ? referenceTo(inner) : namedReferences(inner),
    ]),
  );
}

const referenceTo = (name: string): string => `#/components/schemas/${name.replace(/#$/, "")}`;

/** The fields of an object's schema as parameters of an operation. */
export function parametersOf(place: "path" | "query" | "header", schema: Schema | undefined): Schema[] {
  const fields = Object.entries((schema?.["properties"] ?? {}) as Record<string, Schema>);
  const required = (schema?.["required"] ?? []) as readonly string[];
  return fields.map(([name, field]) => {
    const { description, examples, ...rest } = namedReferences(field) as Schema & { examples?: unknown[] };
    return {
      schema: rest,
      ...(examples?.[0] === undefined ? {} : { example: examples[0] }),
      in: place,
      name,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
    };
  });
}
