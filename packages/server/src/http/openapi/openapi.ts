import type { Credential } from "../credentials.ts";
import type { Declared } from "../declared.ts";
import type { AnyRoute, RawRoute, Schema } from "../route.ts";
import { PROBLEM_JSON, type Surfaces } from "../surface.ts";
import { describeEvents } from "./events.ts";
import { describeRaw, describeRow } from "./operation.ts";
import { COMPONENT_EXAMPLES, COMPONENT_HEADERS, COMPONENT_SCHEMAS } from "./parts.ts";
import { componentSchema } from "./schema-parts.ts";
import type { RouteSchemas } from "./schemas.ts";
import { SharedParts } from "./shared-parts.ts";

/** What the document is generated from: the same rows and schemas as the routes. */
export type DocumentParts = {
  version: string;
  /** Public address of the gateway; null when it is not configured. */
  publicUrl: string | null;
  /** Of those with another error format nothing is in the document: they follow a contract of their own. */
  surfaces: Surfaces;
  rows: ReadonlyMap<AnyRoute, RouteSchemas>;
  /** Schemas with an `$id`, shared by the rows. */
  definitions: readonly Schema[];
  raws: readonly RawRoute[];
  declared: Declared;
};

/** The OpenAPI 3.1 document. The same table yields the same document. */
export function openapiOf({ version, publicUrl, surfaces, rows, definitions, raws, declared }: DocumentParts): object {
  const byName = new Map(definitions.map((definition) => [String(definition["$id"]), definition]));
  const paths: Record<string, Schema> = {};
  const shared = new SharedParts();
  const used = new Set<string>();
  const add = (path: string, method: string, tag: string, operation: Schema): void => {
    used.add(tag);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  const credentials = new Set<Credential>();
  for (const [row, schemas] of rows) {
    const { errors, callers } = surfaces.ofRoute(row);
    if (errors !== PROBLEM_JSON) continue;
    const ways = (callers?.credentials ?? []).filter(({ describe }) => describe !== null);
    for (const credential of ways) credentials.add(credential);
    const parts = { schemas, definitions: byName, credentials: ways, shared };
    add(row.path, row.method, row.tag, describeRow(row, parts));
  }
  for (const raw of raws) {
    if (raw.document !== undefined && surfaces.ofRoute(raw).errors === PROBLEM_JSON)
      add(raw.path, raw.method, raw.document.tag, describeRaw(raw, raw.document, shared));
  }
  const { webhooks, schemas } = describeEvents(declared, byName, shared);
  const responses = shared.all("responses");
  return {
    openapi: "3.1.0",
    info: {
      title: "Waypost",
      version,
      summary: "Self-hosted, multi-tenant gateway to the WhatsApp Business Platform",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      publicUrl === null
        ? { url: "/", description: "The gateway that serves this document." }
        : { url: publicUrl, description: "The gateway's public address." },
    ],
    tags: Object.entries(declared.tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    components: {
      securitySchemes: Object.fromEntries(
        [...credentials].map(({ scheme, describe }) => [scheme, describe?.(declared.lists.scopes)]),
      ),
      schemas: {
        ...COMPONENT_SCHEMAS,
        ...Object.fromEntries([...byName].map(([name, schema]) => [name, componentSchema(schema, byName)])),
        ...schemas,
      },
      responses,
      parameters: shared.all("parameters"),
      headers: usedOf({ paths, responses }, "headers", COMPONENT_HEADERS),
      examples: usedOf({ paths, responses }, "examples", COMPONENT_EXAMPLES),
    },
  };
}

// Only the parts that an operation refers to.
function usedOf(where: Schema, section: string, parts: Schema): Schema {
  const text = JSON.stringify(where);
  return Object.fromEntries(
    Object.entries(parts).filter(([name]) => text.includes(`"#/components/${section}/${name}"`)),
  );
}

const DESCRIPTION = `Authenticate with an API key of a workspace: \`Authorization: Bearer <API_KEY>\`. The key determines the workspace.

- **Errors** are \`application/problem+json\` with a \`code\` from one closed catalogue. Unknown fields and query parameters are refused with 400, never ignored.
- **Idempotency**: every POST accepts \`X-Idempotency-Key\`. Repeating a request with the same key returns the first response, byte for byte, for 7 days.
- **Lists** are newest first and stable while rows are added. Follow \`next_cursor\`, with the same filters, until it is null; where a list has \`has_more\`, until that is false. A cursor is valid only for the list, the filters and the workspace that it came from; any other use is 400.
- **JSON** is what responses are, regardless of \`Accept\`; where an operation names \`text/csv\` and \`application/x-ndjson\` too, \`Accept\` chooses. Streamed rows that end without the last chunk of the response are not complete: repeat the request.
- **Rate limits**: every response under \`/v1\` carries \`RateLimit\` and \`RateLimit-Policy\`, unless the gateway runs with \`API_RATE_LIMIT=off\`.
- **Times** are RFC 3339: UTC with milliseconds in responses, with any offset in requests.
- **Request ids**: send \`X-Request-Id\` or have one generated. It is on every response, in the log and in the audit log.`;
