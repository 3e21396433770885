import { namedReferences, parametersOf } from "./openapi-schema.ts";
import { isList, operationIdOf, rawOperationIdOf } from "./operation-id.ts";
import { PROBLEMS, type ProblemCode } from "./problem.ts";
import type { AnyRoute, RawRoute } from "./route.ts";
import type { RouteSchemas, Schema } from "./schemas.ts";

/** A row of the table as an operation of the document. */
export function describeRow(row: AnyRoute, schemas: RouteSchemas): Schema {
  const responses: Schema = {};
  for (const status of [row.status, ...(row.otherStatuses ?? [])]) {
    responses[status] = {
      description: isList(row.response) ? "One page." : (SUCCESSES[status] ?? "Done."),
      headers: successHeaders(row),
      ...(status === 204 ? {} : jsonContent(schemas.response)),
    };
  }
  for (const [status, codes] of errorsByStatus(row)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join("\n\n"),
      headers: problemHeaders(status),
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    };
  }
  const parameters = [
    ...parametersOf("query", schemas.querystring),
    ...parametersOf("path", schemas.params),
    ...parametersOf("header", requestHeaders(row)),
  ];
  return {
    operationId: operationIdOf(row),
    tags: [row.tag],
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    ...(schemas.body === undefined
      ? {}
      : { requestBody: { required: row.bodyOptional !== true, ...jsonContent(schemas.body) } }),
    ...(parameters.length === 0 ? {} : { parameters }),
    security: [row.auth === "workspace" ? { apiKey: row.scope === null ? [] : [row.scope] } : { operatorKey: [] }],
    responses,
  };
}

const jsonContent = (schema: Schema): Schema => ({
  content: { "application/json": { schema: namedReferences(schema) } },
});

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
  return { properties };
}

const textHeader = (description: string): Schema => ({ schema: { type: "string" }, description });

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
  responses: { 200: { description: `${route.summary}.`, content: { "*/*": { schema: { description: "Bytes." } } } } },
});
