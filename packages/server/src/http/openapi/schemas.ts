import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../json-schema.ts";
import { Problem } from "../problem.ts";
import type { AnyRoute } from "../route.ts";

/** The schemas of one route as Fastify and the OpenAPI document take them. */
export type RouteSchemas = { params?: Schema; querystring: Schema; body?: Schema; response: Schema };

const CLOSED_QUERY: Schema = { type: "object", properties: {}, additionalProperties: false };

/**
 * Prepares the schemas of a table: a schema with an `$id` becomes one shared definition that others refer to, so that it
 * is compiled once and stands once in the document; objects of bodies and queries are closed unless they say otherwise
 * (unknown fields are 400); unions of texts become enums, which validate and serialise without trying each branch.
 */
export function createSchemas() {
  const definitions = new Map<string, { source: unknown; schema: Schema }>();

  function prepare(source: unknown, closed: boolean): unknown {
    if (Array.isArray(source)) return source.map((item) => prepare(item, closed));
    if (typeof source !== "object" || source === null) return source;
    const schema = source as Schema;
    const id = schema["$id"];
    if (typeof id !== "string") return inline(schema, closed);
    const known = definitions.get(id);
    if (!known) {
      const definition: Schema = {};
      definitions.set(id, { source, schema: definition });
      Object.assign(definition, inline(schema, closed), { $id: id });
    } else if (known.source !== source && !isDeepStrictEqual(plain(known.source), plain(source))) {
      throw new Error(`two different schemas are named ${id}`);
    }
    return { $ref: `${id}#` };
  }

  function inline(schema: Schema, closed: boolean): Schema {
    const out: Schema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === "$id") continue;
      if (keyword === "$defs") {
        for (const definition of Object.values(value as Schema)) prepare(definition, closed);
      } else if (keyword === "$ref" && typeof value === "string") {
        out["$ref"] = value.includes("#") ? value : `${value}#`;
      } else if (keyword === "properties" || keyword === "patternProperties") {
        out[keyword] = Object.fromEntries(
          Object.entries(value as Schema).map(([name, inner]) => [name, prepare(inner, closed)]),
        );
      } else if (DATA_KEYWORDS.has(keyword)) {
        out[keyword] = value;
      } else {
        // The parts of an intersection each know only some fields: none of them can be closed by itself.
        out[keyword] = prepare(value, closed && keyword !== "allOf");
      }
    }
    // Of a union each branch is closed by itself.
    const open = out["properties"] === undefined || out["oneOf"] !== undefined;
    if (closed && !open && out["additionalProperties"] === undefined) out["additionalProperties"] = false;
    return simplify(out);
  }

  return {
    /** All bodies first: a definition used in a body and in an answer is closed in both. */
    ofTable(rows: readonly AnyRoute[]): Map<AnyRoute, RouteSchemas> {
      const bodies = rows.map((row) => (row.body ? (prepare(row.body, true) as Schema) : undefined));
      return new Map(
        rows.map((row, index) => {
          const body = bodies[index];
          return [
            row,
            {
              querystring: row.query ? (prepare(row.query, true) as Schema) : CLOSED_QUERY,
              response: prepare(row.response, false) as Schema,
              ...(row.params ? { params: prepare(row.params, false) as Schema } : {}),
              ...(body ? { body } : {}),
            },
          ];
        }),
      );
    },
    definitions: (): Schema[] => [...definitions.values()].map((definition) => definition.schema),
  };
}

/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS = new Set([
  "discriminator",
  "enum",
  "const",
  "default",
  "examples",
  "required",
  "type",
  "description",
  "title",
]);

/** TypeBox marks its schemas with hidden fields; a copy through JSON has only the schema. */
const plain = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema));

function simplify(schema: Schema): Schema {
  const { enum: values, type } = schema;
  if (type === undefined && Array.isArray(values) && values.every((value) => typeof value === "string"))
    return { type: "string", ...schema };
  const branches = schema["anyOf"];
  if (!Array.isArray(branches)) return schema;
  const { anyOf: _, ...rest } = schema;
  const texts = branches.map((branch: Schema) => branch["const"]);
  if (texts.every((text) => typeof text === "string")) return { ...rest, type: "string", enum: texts };
  const others = branches.filter((branch: Schema) => branch["type"] !== "null") as Schema[];
  const [only] = others;
  if (others.length !== 1 || branches.length !== 2 || !only || typeof only["type"] !== "string") return schema;
  const either: Schema = { ...rest, ...only, type: [only["type"], "null"] };
  if (Array.isArray(only["enum"])) either["enum"] = [...only["enum"], null];
  else if (only["const"] !== undefined) {
    delete either["const"];
    either["enum"] = [only["const"], null];
  }
  return either;
}

/** Reads query texts as the schema's types; every other part of a request is taken as it comes. */
export function queryReader(schema: Schema): ((query: Record<string, unknown>) => void) | null {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  const steps = properties.filter(([, { type, default: fallback }]) => type !== "string" || fallback !== undefined);
  if (steps.length === 0) return null;
  return (query) => {
    for (const [name, { type, default: fallback }] of steps) {
      const given = query[name];
      if (given === undefined) {
        if (fallback !== undefined) query[name] = fallback;
      } else if (type === "array") {
        if (!Array.isArray(given)) query[name] = [given];
      } else if (typeof given === "string") {
        query[name] = readText(given, type);
      }
    }
  };
}

// What does not read stays a text, and the validator says what it should have been.
function readText(text: string, type: unknown): unknown {
  if ((type === "integer" || type === "number") && /^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** A route without a body schema takes none, or an empty object as some clients send. */
export function requireNoBody(body: unknown): void {
  if (body === undefined || body === null) return;
  if (typeof body === "object" && !Array.isArray(body) && Object.keys(body).length === 0) return;
  const detail = "This path takes no body.";
  throw new Problem("invalid_request", detail, { errors: [{ pointer: "", code: "unknown_field", detail }] });
}
