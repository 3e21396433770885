import { isDeepStrictEqual } from "node:util";
import { DECLARED, type Declared, type DeclaredList } from "../declared.ts";
import type { AnyRoute, Schema } from "../route.ts";

/** The schemas of one route as Fastify and the OpenAPI document take them. */
export type RouteSchemas = { params?: Schema; querystring: Schema; body?: Schema; response: Schema };

const CLOSED_QUERY: Schema = { type: "object", properties: {}, additionalProperties: false };

/** The rows of a table with their schemas, and the schemas that they share. */
export type TableSchemas = { rows: ReadonlyMap<AnyRoute, RouteSchemas>; definitions: readonly Schema[] };

/**
 * Prepares the schemas of a table. A schema with an `$id` becomes one shared definition that the others refer to, so that it
 * is compiled once and appears once in the document. Objects of bodies and queries are closed unless they say otherwise
 * (unknown fields are 400). Unions of texts become enums, which validate and serialise without trying each branch.
 */
export function prepareSchemas(rows: readonly AnyRoute[], lists: Declared["lists"]): TableSchemas {
  const definitions = new SharedSchemas(lists);
  const take = (schema: unknown, closed: boolean): Schema => definitions.prepare(schema, closed) as Schema; // an object stays one
  // All bodies first: a definition that is used in a body and in an answer is closed in both.
  const bodies = rows.map((row) => (row.body ? take(row.body, true) : undefined));
  const prepared = rows.map((row, index): [AnyRoute, RouteSchemas] => {
    const body = bodies[index];
    return [
      row,
      {
        querystring: row.query ? take(row.query, true) : CLOSED_QUERY,
        response: take(row.response, false),
        ...(row.params ? { params: take(row.params, false) } : {}),
        ...(body ? { body } : {}),
      },
    ];
  });
  return { rows: new Map(prepared), definitions: definitions.schemas() };
}

/** Schemas beside the table, open as those of answers, with what they share. */
export function prepareParts(parts: readonly unknown[], lists: Declared["lists"]): Pick<TableSchemas, "definitions"> {
  const definitions = new SharedSchemas(lists);
  for (const part of parts) definitions.prepare(part, false);
  return { definitions: definitions.schemas() };
}

/** One body by itself, as of a row: it refers to no list that features declare. */
export function prepareBody(body: unknown): { body: Schema; definitions: readonly Schema[] } {
  const definitions = new SharedSchemas({ scopes: [], event_kinds: [] });
  const prepared = definitions.prepare(body, true) as Schema; // an object stays one
  return { body: prepared, definitions: definitions.schemas() };
}

/** The shared definitions found so far, by `$id`. */
class SharedSchemas {
  readonly #byId = new Map<string, { source: unknown; schema: Schema }>();
  readonly #lists: Declared["lists"];

  constructor(lists: Declared["lists"]) {
    this.#lists = lists;
  }

  schemas(): Schema[] {
    return [...this.#byId.values()].map(({ schema }) => schema);
  }

  /** The schema with references in the place of what has an `$id`. */
  prepare(source: unknown, closed: boolean): unknown {
    if (Array.isArray(source)) return source.map((item) => this.prepare(item, closed));
    if (typeof source !== "object" || source === null) return source;
    const schema = source as Schema;
    const id = schema["$id"];
    if (typeof id !== "string") return this.#inline(schema, closed);
    const known = this.#byId.get(id);
    if (!known) {
      const definition: Schema = {};
      this.#byId.set(id, { source, schema: definition }); // before its parts, which may refer to it
      Object.assign(definition, this.#inline(schema, closed), { $id: id });
    } else if (known.source !== source && !isDeepStrictEqual(plain(known.source), plain(source))) {
      throw new Error(`two different schemas are named ${id}`);
    }
    return { $ref: `${id}#` };
  }

  #inline(schema: Schema, closed: boolean): Schema {
    const out: Schema = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === "$id") continue;
      if (keyword === DECLARED) Object.assign(out, itemsOf(this.#lists[value as DeclaredList]));
      else if (keyword === "$defs") {
        for (const definition of Object.values(value as Schema)) this.prepare(definition, closed);
      } else if (keyword === "$ref" && typeof value === "string") {
        out["$ref"] = value.includes("#") ? value : `${value}#`;
      } else if (keyword === "properties" || keyword === "patternProperties") {
        out[keyword] = Object.fromEntries(
          Object.entries(value as Schema).map(([name, inner]) => [name, this.prepare(inner, closed)]),
        );
      } else if (DATA_KEYWORDS.has(keyword)) {
        out[keyword] = value;
      } else {
        // Each part of an intersection knows only some fields: none of them can be closed by itself.
        out[keyword] = this.prepare(value, closed && keyword !== "allOf");
      }
    }
    // Each branch of a union is closed by itself.
    const open = out["properties"] === undefined || out["oneOf"] !== undefined;
    if (closed && !open && out["additionalProperties"] === undefined) out["additionalProperties"] = false;
    return simplify(out);
  }
}

const itemsOf = (list: readonly string[]): Schema => ({
  items: { type: "string", enum: list },
  minItems: 1,
  maxItems: list.length,
  uniqueItems: true,
});

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

/** TypeBox adds hidden fields to its schemas; a copy through JSON has only the schema. */
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

/** Converts the texts of a query to the schema's types. Every other part of a request is taken as it arrives. */
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

// A text that does not convert stays, and the validator says what it should have been.
function readText(text: string, type: unknown): unknown {
  if ((type === "integer" || type === "number") && /^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
