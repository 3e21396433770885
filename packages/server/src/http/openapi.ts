import swagger from "@fastify/swagger";
import type { FastifyContextConfig, FastifyInstance, FastifySchema } from "fastify";
import { isList, operationIdOf, rawOperationIdOf } from "./operation-id.ts";
import { PROBLEMS, type ProblemCode } from "./problem.ts";
import { type AnyRoute, type RawRoute, SCOPES } from "./route.ts";
import type { Schema } from "./schemas.ts";

/** Registers the generator of the OpenAPI 3.1 document; it reads the same table as the routes. Read it after `ready`. */
export async function registerOpenapi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Waypost",
        version,
        description: DESCRIPTION,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      components: {
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            description: `An API key, \`wp_live_…\`. Scopes: ${SCOPES.map((scope) => `\`${scope}\``).join(" ")}.`,
          },
          operatorKey: { type: "http", scheme: "bearer", description: "WAYPOST_OPERATOR_KEY." },
        },
      },
    },
    transform: ({ schema, url, route }) => ({ schema: describe(schema, route.config), url }),
    refResolver: {
      buildLocalReference: (schema, _base, _fragment, index) =>
        typeof schema["$id"] === "string" ? schema["$id"] : `schema-${index}`,
    },
  });
  app.addSchema(PROBLEM_SCHEMA);
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the OpenAPI document says of the route; none: the route is not in it. */
    document?: Schema;
  }
}

function describe(schema: FastifySchema | undefined, config: FastifyContextConfig | undefined): FastifySchema {
  if (config?.document === undefined) return { hide: true };
  const { response: _, ...inputs } = schema ?? {};
  return { ...inputs, ...config.document };
}

const DESCRIPTION =
  "Self-hosted, multi-tenant gateway to the WhatsApp Business Platform. Errors are `application/problem+json` with a `code` of one closed catalogue; " +
  "every POST takes `X-Idempotency-Key`; every answer under `/v1` carries `RateLimit` and `RateLimit-Policy`.";

const PROBLEM_SCHEMA = {
  $id: "Problem",
  type: "object",
  description: "RFC 9457.",
  required: ["type", "title", "status", "detail", "code", "request_id", "retryable"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: Object.keys(PROBLEMS) },
    request_id: { type: "string" },
    retryable: { type: "boolean", description: "The same request may succeed later without a change." },
    resource_id: { type: "string", description: "The resource that the refusal is about, where there is one." },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["pointer", "code", "detail"],
        properties: {
          pointer: { type: "string", description: "JSON pointer into the body, or `?name` of the query." },
          code: { type: "string" },
          detail: { type: "string" },
        },
      },
    },
    provider: { type: "object", additionalProperties: true, description: "What the provider said." },
  },
} as const;

/** What the document says of a row, beside its schemas; kept in the route's config, so that Fastify compiles none of it. */
export function describeRow(row: AnyRoute, schemas: { response: Schema }): Schema {
  const responses: Schema = {};
  for (const status of [row.status, ...(row.otherStatuses ?? [])]) {
    responses[status] = {
      description: isList(row.response) ? "One page." : (SUCCESSES[status] ?? "Done."),
      headers: successHeaders(row),
      ...(status === 204 ? { type: "null" } : jsonContent(schemas.response)), // the generator's word for no content
    };
  }
  for (const [status, codes] of errorsByStatus(row)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join("\n\n"),
      headers: problemHeaders(status),
      content: { "application/problem+json": { schema: { $ref: "Problem#" } } },
    };
  }
  return {
    operationId: operationIdOf(row),
    tags: [row.tag],
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    security: [row.auth === "workspace" ? { apiKey: row.scope === null ? [] : [row.scope] } : { operatorKey: [] }],
    ...requestHeaders(row),
    response: responses,
  };
}

const jsonContent = (schema: Schema): Schema => ({ content: { "application/json": { schema } } });

const SUCCESSES: Record<number, string> = {
  200: "The resource as it is now.",
  201: "Made.",
  202: "Accepted: committed, and going on.",
  204: "Done; there is no body.",
};

function requestHeaders(row: AnyRoute): Schema {
  const properties: Schema = {};
  if (row.method === "POST") {
    properties["X-Idempotency-Key"] = {
      type: "string",
      minLength: 1,
      maxLength: 255,
      description: "Makes a repeat of this request safe: it gives the first answer again for 7 days.",
    };
  }
  if (row.method === "POST" && row.kind === "own") {
    properties["Prefer"] = {
      type: "string",
      description: "`wait=N` with 1 to 30 seconds: answer when the provider accepted or refused, or then.",
    };
  }
  if (row.errors?.includes("precondition_failed") === true) {
    properties["If-Match"] = { type: "string", description: "`ETag` of the version to change; another one is 412." };
  }
  return Object.keys(properties).length === 0 ? {} : { headers: { type: "object", properties } };
}

const textHeader = (description: string): Schema => ({ type: "string", description });

function successHeaders(row: AnyRoute): Schema {
  return {
    "X-Request-Id": textHeader("The caller's id of the request, or a new one."),
    ...(row.auth === "workspace"
      ? { RateLimit: textHeader("What is left of the limit."), "RateLimit-Policy": textHeader("The limit.") }
      : {}),
    ...(row.status === 201 || row.status === 202 ? { Location: textHeader("Path of the resource.") } : {}),
    ...(row.method === "POST"
      ? { "Idempotent-Replayed": textHeader("`true` when this is the first answer again.") }
      : {}),
  };
}

const problemHeaders = (status: number): Schema => ({
  "X-Request-Id": textHeader("Finds the request in the log."),
  ...(status === 429 || status === 503 ? { "Retry-After": textHeader("Seconds until a repeat makes sense.") } : {}),
});

/** The codes that any row of this shape can give, and its own. */
export function errorCodesOf(row: AnyRoute): ProblemCode[] {
  const codes: ProblemCode[] = [
    "invalid_request",
    "unauthorized",
    "rate_limited",
    "internal",
    "unavailable",
    ...(row.errors ?? []),
  ];
  if (row.auth === "workspace" && row.scope !== null) codes.push("forbidden");
  if (row.params) codes.push("not_found");
  if (row.method !== "GET") codes.push("invalid_json", "payload_too_large", "unsupported_media_type");
  if (row.method === "POST") codes.push("idempotency_in_progress", "idempotency_key_expired", "idempotency_key_reused");
  return [...new Set(codes)];
}

function errorsByStatus(row: AnyRoute): Map<number, ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of errorCodesOf(row)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** A raw route in the document: its bytes are described by their own words only. */
export const describeRaw = (route: RawRoute): Schema => ({
  operationId: rawOperationIdOf(route),
  tags: ["Other"],
  summary: route.summary,
  security: [],
  response: { 200: { description: `${route.summary}.`, content: { "*/*": { schema: { description: "Bytes." } } } } },
});
