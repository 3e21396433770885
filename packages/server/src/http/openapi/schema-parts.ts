import type { Examples, Schema } from "../route.ts";

/** A definition by the name that references use. */
export type Definitions = ReadonlyMap<string, Schema>;

/** The same schema with each `Name#`, the validator's reference to a definition, as a reference of the document. */
export function namedReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namedReferences);
  if (typeof value !== "object" || value === null) return value;
  const schema = value as Schema;
  if (schema["if"] !== undefined) return namedReferences(unionOf(schema));
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, inner]) => [
      keyword,
      keyword === "$ref" && typeof inner === "string" ? referenceTo(inner) : namedReferences(inner),
    ]),
  );
}

/**
 * An object whose tag decides what else it has, as the union that it is: the kinds behind `then`, and objects with any other tag.
 * The validator needs the condition, to report a fault where it is; readers and client generators understand unions.
 */
function unionOf(schema: Schema): Schema {
  const { if: condition, then: kinds, description, properties, ...other } = schema as Condition;
  const tags = Object.entries(condition.properties).map(([tag, { enum: names }]) => [
    tag,
    { ...(properties[tag] as Schema), not: { enum: names } },
  ]);
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [...kinds.oneOf, { ...other, properties: { ...properties, ...Object.fromEntries(tags) } }],
  };
}

type Condition = Schema & {
  if: { properties: Record<string, { enum: string[] }> };
  then: { oneOf: Schema[] };
  properties: Schema;
};

/** A definition as a component. Its examples are left out: they appear at the bodies and answers that use it. */
export function componentSchema(definition: Schema, definitions: Definitions): Schema {
  const { $id: _id, examples: _examples, ...rest } = definition;
  const schema = namedReferences(rest) as Schema; // an object stays one
  const { discriminator, oneOf } = schema;
  if (discriminator === undefined || !Array.isArray(oneOf)) return schema;
  const { propertyName } = discriminator as { propertyName: string };
  // The validator needs these for the whole union; each branch repeats them.
  const { properties: _properties, required: _required, ...union } = schema;
  return { ...union, discriminator: { propertyName, mapping: mappingOf(propertyName, oneOf, definitions) } };
}

// The validator reads the values from the branches and accepts no mapping; client generators need one.
function mappingOf(tag: string, branches: readonly Schema[], definitions: Definitions): Schema {
  return Object.fromEntries(
    branches.map(({ $ref }) => {
      const reference = String($ref);
      const properties = definitions.get(reference.slice(referenceTo("").length))?.["properties"] as
        | Record<string, Schema>
        | undefined;
      return [String(properties?.[tag]?.["const"]), reference];
    }),
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
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(examples?.[0] === undefined ? {} : { example: examples[0] }),
    };
  });
}

/**
 * A value that fits the schema, from the `examples` of the schema or of its parts; undefined where a part has none. The example
 * of a list is thus a page with the example of its item.
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
