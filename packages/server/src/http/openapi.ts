import { describeRaw, describeRow } from "./openapi-operation.ts";
import { COMPONENT_SCHEMAS, SECURITY_SCHEMES } from "./openapi-parts.ts";
import { namedReferences } from "./openapi-schema.ts";
import type { AnyRoute, RawRoute } from "./route.ts";
import type { RouteSchemas, Schema } from "./schemas.ts";

/** What the document is made of: the same rows and schemas as the routes. */
export type DocumentParts = {
  version: string;
  rows: ReadonlyMap<AnyRoute, RouteSchemas>;
  /** Schemas with an `$id`, shared by the rows. */
  definitions: readonly Schema[];
  raws: readonly RawRoute[];
};

/** The OpenAPI 3.1 document. The same table gives the same document. */
export function openapiOf({ version, rows, definitions, raws }: DocumentParts): object {
  const paths: Record<string, Schema> = {};
  const add = (path: string, method: string, operation: Schema): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const [row, schemas] of rows) add(row.path, row.method, describeRow(row, schemas));
  for (const raw of raws) if (raw.undocumented !== true) add(raw.path, raw.method, describeRaw(raw));
  return {
    openapi: "3.1.0",
    info: {
      title: "Waypost",
      version,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: {
        ...COMPONENT_SCHEMAS,
        ...Object.fromEntries(
          definitions.map(({ $id, ...definition }) => [$id, namedReferences(definition as Schema) as Schema]),
        ),
      },
    },
    paths,
  };
}

const DESCRIPTION =
  "Self-hosted, multi-tenant gateway to the WhatsApp Business Platform. Errors are `application/problem+json` with a `code` of one closed catalogue; " +
  "every POST takes `X-Idempotency-Key`; every answer under `/v1` carries `RateLimit` and `RateLimit-Policy`.";
