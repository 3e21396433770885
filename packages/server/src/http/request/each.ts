import type { FastifyRequest } from "fastify";
import type { RouteSchemas } from "../openapi/schemas.ts";
import type { Problem } from "../problem.ts";
import type { AnyRoute, Schema } from "../route.ts";
import { MOST_ITEMS } from "./bodies/parse-body.ts";
import type { Validator } from "./compilers.ts";
import { invalid } from "./errors.ts";

/** The refusals of a request's items, by their index. */
export type ItemCheck = (request: FastifyRequest) => ReadonlyMap<number, Problem>;

/** The schemas as Fastify checks a request by them: the items of `each` are checked apart. */
export function anyItems(row: AnyRoute, schemas: RouteSchemas): RouteSchemas {
  const list = listOf(row, schemas);
  if (list === null) return schemas;
  const { name, body, schema } = list;
  const properties = { ...(body["properties"] as Schema), [name]: { ...schema, items: {} } };
  return { ...schemas, body: { ...body, properties } };
}

/** Checks the items of `each`; null for a row without. `compiled` gives the validator of their schema. */
export function itemCheck(
  row: AnyRoute,
  schemas: RouteSchemas,
  compiled: (schema: Schema) => () => Validator,
): ItemCheck | null {
  const list = listOf(row, schemas);
  if (list === null) return null;
  const validator = compiled({ ...(list.schema["items"] as Schema) });
  return (request) => {
    const refused = new Map<number, Problem>(request.state.refusedItems);
    const validate = validator();
    const items = (request.body as Record<string, unknown[]>)[list.name] ?? []; // the schema of the body has passed
    for (const [index, item] of items.entries())
      if (!refused.has(index) && !validate(item)) refused.set(index, invalid(validate.errors ?? []));
    return refused;
  };
}

function listOf({ each }: AnyRoute, { body }: RouteSchemas): { name: string; body: Schema; schema: Schema } | null {
  if (each === undefined || body === undefined) return null;
  const schema = (body["properties"] as Record<string, Schema> | undefined)?.[each];
  if (schema === undefined) throw new Error(`the body has no list ${each}`);
  if (!(Number(schema["maxItems"]) <= MOST_ITEMS)) throw new Error(`the list ${each} takes more than ${MOST_ITEMS}`);
  return { name: each, body, schema };
}
