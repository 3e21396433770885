import { AjvCompiler, type ErrorObject } from "@fastify/ajv-compiler";
import { type RouteDefinition, type Serializer, SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifyServerOptions } from "fastify";
import { once } from "../../lib/once.ts";
import type { Schema } from "../route.ts";

export type Compilers = NonNullable<NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]>;
/** Says whether data fit a schema; why they do not stands in `errors` then. */
export type Validator = ((data: unknown) => unknown) & { errors?: ErrorObject[] | null | undefined };
type Validators = (definitions: Definitions, options: unknown) => (part: Part) => Validator;

/**
 * Compiles the schemas of a route when they are first asked for, but at the start those that take longer than a first request may.
 * Compiling all at the start took most of its time; one route's take some milliseconds.
 *
 * @param early whether a route's schemas are compiled at the start
 */
export function compileLate(early: (route: { method: string; url: string }) => boolean): Compilers {
  return {
    buildValidator: ((definitions, options) => {
      const shared = once(() => sharedBy(definitions, options));
      return (part) => {
        const compiled = once(() => shared().validator(part));
        if (early(part)) compiled();
        return lateValidator(compiled);
      };
    }) satisfies Validators as unknown as NonNullable<Compilers["buildValidator"]>,
    buildSerializer: (definitions, options) => {
      const shared = once(() => sharedBy(definitions as Definitions, options));
      return (part) => {
        const compiled = once(() => shared().serializer(part));
        if (early(part)) compiled();
        return (document: unknown) => compiled()(document);
      };
    },
  };
}

type Shared = { validator: (part: Part) => Validator; serializer: (part: RouteDefinition) => Serializer };
const sharedParts = new Map<string, Shared>();

/** Servers of one process that have the same definitions, as those of tests have, share what is compiled of the same schema. */
function sharedBy(definitions: Definitions, options: unknown): Shared {
  const key = JSON.stringify([definitions, options]);
  const found = sharedParts.get(key);
  if (found !== undefined) return found;
  const validators = once(() => (AjvCompiler() as unknown as Validators)(definitions, options));
  const made: Shared = {
    validator: oncePer((part) => validators()(part)),
    // A serialiser prepares all definitions that it is given, and needs few of them.
    serializer: oncePer((part) =>
      SerializerSelector()(neededBy(part.schema, definitions), options as object | undefined)(part),
    ),
  };
  sharedParts.set(key, made);
  return made;
}

function oncePer<P extends { schema?: unknown }, Compiled>(compile: (part: P) => Compiled): (part: P) => Compiled {
  const kept = new Map<string, Compiled>();
  return (part) => {
    const key = JSON.stringify(part.schema);
    const compiled = kept.get(key) ?? compile(part);
    kept.set(key, compiled);
    return compiled;
  };
}

/** Compiles a schema by itself, as a route's. */
export function compileAlone(schema: Schema, definitions: readonly Schema[]): Validator {
  const byId = Object.fromEntries(definitions.map((definition) => [String(definition["$id"]), definition]));
  return sharedBy(byId, { customOptions: AJV }).validator({ schema, method: "", url: "" });
}

/** No silent drop, no coercion, no defaults written into a body: the fingerprint and the verb see what was sent. */
export const AJV = {
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: false,
  allErrors: false, // collecting all faults of a hostile body would be as much work as its sender likes
  discriminator: true,
  strictTypes: false,
  strictTuples: false,
  code: { optimize: false }, // which takes longer than all else, and V8 does the same
} as const;

/** What Fastify says of a schema, of which the types of its compiler know nothing. */
type Part = { schema: Schema; method: string; url: string };
type Definitions = Readonly<Record<string, Schema>>;

/** Fastify reads the errors from the validator itself. */
function lateValidator(compiled: () => Validator): Validator {
  const late = Object.assign(
    (data: unknown): unknown => {
      const validate = compiled();
      const passed = validate(data);
      late.errors = validate.errors;
      return passed;
    },
    { errors: null as Validator["errors"] },
  );
  return late;
}

/** The definitions that a schema refers to, and those that they refer to. */
function neededBy(schema: unknown, definitions: Definitions): Record<string, Schema> {
  const needed: Record<string, Schema> = {};
  const find = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [keyword, value] of Object.entries(part)) {
      if (keyword === "$ref" && typeof value === "string") take(value.slice(0, value.indexOf("#")));
      else find(value);
    }
  };
  const take = (id: string): void => {
    const definition = definitions[id];
    if (definition === undefined || needed[id] !== undefined) return;
    needed[id] = definition;
    find(definition);
  };
  find(schema);
  return needed;
}
