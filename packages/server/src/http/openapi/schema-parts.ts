import type { Schema } from "../json-schema.ts";
import type { Definitions } from "./example.ts";

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

/** A definition as a component: its own examples stand at the bodies and answers that are made of it. */
export function componentSchema(definition: Schema, definitions: Definitions): Schema {
  const { $id: _id, examples: _examples, ...rest } = definition;
  const schema = namedReferences(rest) as Schema; // an object stays one
  const { discriminator, oneOf } = schema;
  if (discriminator === undefined || !Array.isArray(oneOf)) return schema;
  const { propertyName } = discriminator as { propertyName: string };
  // What the validator asks of all branches first, each branch says of itself.
  const { properties: _properties, required: _required, ...union } = schema;
  return { ...union, discriminator: { propertyName, mapping: mappingOf(propertyName, oneOf, definitions) } };
}

// The validator reads the values from the branches and takes no mapping; generators of clients need one.
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
