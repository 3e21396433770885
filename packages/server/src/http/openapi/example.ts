import type { Schema } from "../json-schema.ts";
import type { Examples } from "../route.ts";

/** A definition by the name that references use. */
export type Definitions = ReadonlyMap<string, Schema>;

/**
 * A value that fits the schema, from the `examples` of the schema or of its parts; undefined where a part has none. A list
 * is thus one page of the examples of its item.
 */
export function exampleOf(schema: Schema, definitions: Definitions): unknown {
  const { $ref, examples, properties, items } = schema;
  if (typeof $ref === "string") {
    const definition = definitions.get($ref.replace(/#$/, ""));
    return definition && exampleOf(definition, definitions);
  }
  if (Array.isArray(examples)) return examples[0];
  if (typeof items === "object" && items !== null) {
    const item = exampleOf(items as Schema, definitions);
    return item === undefined ? undefined : [item];
  }
  if (typeof properties !== "object" || properties === null) return undefined;
  const fields = Object.entries(properties as Record<string, Schema>).map(
    ([name, field]) => [name, exampleOf(field, definitions)] as const,
  );
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields);
}

/** The example, or the named ones, of a media type. */
export function mediaExamples(given: Examples | undefined, schema: Schema, definitions: Definitions): Schema {
  if (given !== undefined) return { examples: given };
  const example = exampleOf(schema, definitions);
  return example === undefined ? {} : { example };
}
