import type { Schema } from "../json-schema.ts";
import { PROBLEMS, type ProblemCode } from "../problem.ts";
import type { AnyRoute, Examples } from "../route.ts";
import type { Definitions } from "./example.ts";
import { mediaExamples } from "./example.ts";
import { isList, operationIdOf } from "./operation-id.ts";
import { headerReferences, problemExamples } from "./parts.ts";
import { namedReferences, parametersOf } from "./schema-parts.ts";
import type { RouteSchemas } from "./schemas.ts";

/** A row of the table as an operation of the document. */
export function describeRow(row: AnyRoute, schemas: RouteSchemas, definitions: Definitions): Schema {
  const json = (schema: Schema, examples: Examples | undefined): Schema => ({
    content: {
      "application/json": { schema: namedReferences(schema), ...mediaExamples(examples, schema, definitions) },
    },
  });
  const responses: Schema = {};
  for (const status of [row.status, ...(row.otherStatuses ?? [])]) {
    responses[status] = {
      description: isList(row.response) ? "One page." : (SUCCESSES[status] ?? "Done."),
      headers: successHeaders(row, status),
      ...(status === 204 ? {} : json(schemas.response, row.examples?.answer)),
    };
  }
  for (const [status, codes] of errorsByStatus(errorCodesOf(row)))
    responses[status] = problemResponse(status, codes, limitedAt(row, status));
  const parameters = [
    ...parametersOf("path", schemas.params),
    ...parametersOf("query", schemas.querystring),
    ...parametersOf("header", requestHeaders(row)),
  ];
  return {
    operationId: operationIdOf(row),
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    security: [row.auth === "workspace" ? { apiKey: row.scope === null ? [] : [row.scope] } : { operatorKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(schemas.body === undefined
      ? {}
      : { requestBody: { required: row.bodyOptional !== true, ...json(schemas.body, row.examples?.body) } }),
    responses,
  };
}

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
      pattern: "^[!-~]{1,255}$",
      description:
        "1 to 255 visible ASCII characters; `Idempotency-Key` is the same. Makes a repeat of this request safe: it gives the first answer again for 7 days.",
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

function successHeaders(row: AnyRoute, status: number): Schema {
  return headerReferences([
    "X-Request-Id",
    ...(row.auth === "workspace" ? LIMIT_HEADERS : []),
    ...(status === 201 || status === 202 ? ["Location"] : []),
    ...(row.etag === true ? ["ETag"] : []),
    ...(row.method === "POST" ? ["Idempotent-Replayed"] : []),
    ...(row.method === "POST" && row.kind === "own" ? ["Preference-Applied"] : []),
  ]);
}

const LIMIT_HEADERS = ["RateLimit", "RateLimit-Policy"];

// The operator has no limit, but who tries keys has one.
const limitedAt = (row: AnyRoute, status: number): boolean =>
  row.auth === "workspace" || status === 401 || status === 429;

/** A refusal with one of these codes, which all have this status. */
export function problemResponse(status: number, codes: readonly ProblemCode[], limited: boolean): Schema {
  const mayWait = status === 429 || status === 503 || codes.includes("idempotency_in_progress");
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join("\n\n"),
    headers: headerReferences([
      "X-Request-Id",
      ...(limited ? LIMIT_HEADERS : []),
      ...(mayWait ? ["Retry-After"] : []),
      ...(status === 401 ? ["WWW-Authenticate"] : []),
    ]),
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        examples: problemExamples(codes),
      },
    },
  };
}

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

export function errorsByStatus(codes: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
