import { csvLine } from "../../lib/csv.ts";
import type { Credential } from "../credentials.ts";
import { EVENT_STREAM_TYPE } from "../event-stream.ts";
import { isList } from "../pagination.ts";
import type { AnyRoute, Examples, RawDocument, RawRoute, Schema } from "../route.ts";
import { ROW_TYPES } from "../stream-rows.ts";
import { FILE_REQUEST_HEADERS, fileResponses } from "./files.ts";
import { operationIdOf, rawOperationIdOf } from "./operation-id.ts";
import { headerReferences, LIMIT_HEADERS } from "./parts.ts";
import { refusalsOfRaw, refusalsOfRow } from "./refusals.ts";
import { type Definitions, mediaExamples, namedReferences, parametersOf } from "./schema-parts.ts";
import type { RouteSchemas } from "./schemas.ts";
import type { SharedParts } from "./shared-parts.ts";

type RowParts = {
  schemas: RouteSchemas;
  definitions: Definitions;
  credentials: readonly Credential[];
  shared: SharedParts;
};

/** The operation of a row of the table. */
export function describeRow(row: AnyRoute, { schemas, definitions, credentials, shared }: RowParts): Schema {
  const json: Json = (schema, examples) => ({
    content: {
      "application/json": { schema: namedReferences(schema), ...mediaExamples(examples, schema, definitions) },
    },
  });
  const responses: Schema = {};
  for (const status of [row.status, ...(row.otherStatuses ?? [])]) {
    responses[status] = {
      description: successOf(row, status),
      headers: successHeaders(row, status),
      ...(status === 204
        ? {}
        : {
            content: {
              ...answerContent(row, schemas, json),
              ...rowContent(row, schemas, definitions),
              ...eventContent(row, schemas),
            },
          }),
    };
  }
  if (row.kind === "file")
    Object.assign(responses, fileResponses(responses[200] as Schema, ["X-Request-Id", ...LIMIT_HEADERS]));
  Object.assign(responses, refusalsOfRow(row, shared));
  const parameters = [
    ...parametersOf("path", schemas.params),
    ...parametersOf("query", schemas.querystring),
    ...parametersOf("header", requestHeaders(row)),
  ].map((parameter) => sharedParameter(parameter, shared));
  return {
    operationId: operationIdOf(row),
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    ...(row.deprecated === undefined ? {} : { deprecated: true }),
    security: credentials.map(({ scheme }) => ({ [scheme]: scopesOf(row) })),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...uploadBody(row),
    ...(schemas.body === undefined
      ? {}
      : { requestBody: { required: row.bodyOptional !== true, ...json(schemas.body, row.examples?.body) } }),
    responses,
  };
}

/** Parameters that mean the same wherever they are, by their name there. */
const PARAMETER_NAMES: Record<string, string> = {
  "X-Idempotency-Key": "IdempotencyKey",
  "If-Match": "IfMatch",
  Prefer: "Prefer",
  limit: "PageLimit",
  cursor: "PageCursor",
  Range: "Range",
  "If-Range": "IfRange",
  "If-None-Match": "IfNoneMatch",
};

function sharedParameter(parameter: Schema, shared: SharedParts): Schema {
  const name = PARAMETER_NAMES[String(parameter["name"])];
  return name === undefined ? parameter : shared.refer("parameters", name, parameter);
}

const scopesOf = (row: AnyRoute): string[] => (row.auth === "workspace" && row.scope !== null ? [row.scope] : []);

function uploadBody(row: AnyRoute): Schema {
  if (row.kind !== "write" || row.upload === undefined) return {};
  const { types, fields } = row.upload;
  const schema = { type: "object", required: ["file"], properties: { file: FILE, ...fields } };
  const examples = Object.entries(types ?? {});
  const content = Object.fromEntries(
    examples.map(([type, example]) => [type, { schema: { type: "string" }, example }]),
  );
  const form = { schema, example: { file: examples[0]?.[1] ?? FILE_EXAMPLE } };
  return { requestBody: { required: true, content: { ...content, "multipart/form-data": form } } };
}

/** Stands for the type of whatever file it is. */
const FILE_TYPE = "application/octet-stream";
const FILE_EXAMPLE = "The bytes of the file";
const FILE = { type: "string", contentMediaType: FILE_TYPE, description: "The file." };

type Json = (schema: Schema, examples: Examples | undefined) => { content: Schema };

const answerContent = (row: AnyRoute, schemas: RouteSchemas, json: Json): Schema =>
  row.kind === "file"
    ? { [FILE_TYPE]: { schema: namedReferences(schemas.response), example: FILE_EXAMPLE } }
    : row.kind === "rows" || row.kind === "stream"
      ? {}
      : json(schemas.response, row.examples?.answer).content;

/** What a row answers as streamed rows. */
function rowContent(row: AnyRoute, { response }: RouteSchemas, definitions: Definitions): Schema {
  if (row.kind !== "rows" && (row.kind !== "read" || row.rows === undefined)) return {};
  const properties = response["properties"] as Record<string, Schema> | undefined;
  const one = row.kind === "rows" ? response : ((properties?.["data"]?.["items"] ?? {}) as Schema);
  const { examples: _, ...schema } = one;
  const columns = row.rows?.columns ?? [];
  return {
    [ROW_TYPES.csv]: {
      schema: { type: "string", description: `One line a row, with the columns ${columns.join(", ")}.` },
      example: csvLine(columns),
    },
    [ROW_TYPES.ndjson]: { schema: namedReferences(schema), ...mediaExamples(undefined, one, definitions) },
  };
}

/** What a row answers as a stream of events. The document has no words for the schema of one, so it stands beside. */
function eventContent(row: AnyRoute, { response }: RouteSchemas): Schema {
  if (row.kind !== "stream") return {};
  const [example] = Object.values(row.examples?.answer ?? {});
  return {
    [EVENT_STREAM_TYPE]: {
      schema: {
        type: "string",
        description: "Server-sent events: `id` is the cursor, `event` the kind, `data` the JSON.",
      },
      "x-item-schema": namedReferences(response),
      example: example?.value,
    },
  };
}

const successOf = (row: AnyRoute, status: number): string =>
  row.kind === "stream"
    ? "The events, until either end closes the connection."
    : isList(row.response)
      ? "A page of results."
      : (SUCCESSES[status] ?? "Success.");

const SUCCESSES: Record<number, string> = {
  200: "The current state of the resource.",
  201: "Created.",
  202: "Accepted: stored, and processed in the background.",
  204: "Success. The response has no body.",
};

function requestHeaders(row: AnyRoute): Schema {
  const properties: Schema = {};
  if (row.kind === "file") Object.assign(properties, FILE_REQUEST_HEADERS);
  if (row.kind === "stream") {
    properties["Last-Event-ID"] = {
      type: "string",
      description: "The `id` of the last event that arrived, to go on behind it. It counts more than `cursor`.",
    };
  }
  if (row.method === "POST") {
    properties["X-Idempotency-Key"] = {
      type: "string",
      pattern: "^[!-~]{1,255}$",
      description:
        "A unique key for this request, 1 to 255 visible ASCII characters. A repeat with the same key within 7 days returns the first response instead of running again. `Idempotency-Key` is accepted too.",
    };
  }
  if (row.waits === true) {
    properties["Prefer"] = {
      type: "string",
      description:
        "`wait=N`, 1 to 30 seconds: respond once the provider has accepted or refused the message, at the latest after that time.",
    };
  }
  if (row.errors?.includes("precondition_failed") === true) {
    properties["If-Match"] = {
      type: "string",
      description: "The `ETag` of the version to change. The request fails with 412 if the resource has changed since.",
    };
  }
  return { properties };
}

function successHeaders(row: AnyRoute, status: number): Schema {
  return headerReferences([
    "X-Request-Id",
    ...(row.auth === "workspace" ? LIMIT_HEADERS : []),
    ...((status === 201 || status === 202) && row.each === undefined ? ["Location"] : []),
    ...(row.etag === true ? ["ETag"] : []),
    ...(row.deprecated === undefined ? [] : ["Deprecation"]),
    ...(row.deprecated?.sunset === undefined ? [] : ["Sunset"]),
    ...(row.method === "POST" ? ["Idempotent-Replayed"] : []),
    ...(row.waits === true ? ["Preference-Applied"] : []),
  ]);
}

/** The operation of a raw route, as its own document describes it. */
export function describeRaw(route: RawRoute, document: RawDocument, shared: SharedParts): Schema {
  const { tag, description, params, query, headers, body, answers, sendsFile } = document;
  const parameters = [
    ...parametersOf("path", params),
    ...parametersOf("query", query),
    ...parametersOf("header", sendsFile === true ? { properties: FILE_REQUEST_HEADERS } : headers),
  ].map((parameter) => sharedParameter(parameter, shared));
  const responses = refusalsOfRaw(route, new Set(Object.keys(answers)), shared);
  for (const [status, answer] of Object.entries(answers)) {
    const { examples: [example] = [], ...schema } = answer.schema as Schema & { examples?: unknown[] };
    const known = responses[status] as { content: Schema } | undefined;
    responses[status] = {
      description: answer.description,
      headers: headerReferences(["X-Request-Id"]),
      content: {
        [answer.type]: { schema, ...(example === undefined ? {} : { example }) },
        ...known?.content,
      },
    };
  }
  if (sendsFile === true) Object.assign(responses, fileResponses(responses[200] as Schema, ["X-Request-Id"]));
  return {
    operationId: rawOperationIdOf(route),
    tags: [tag],
    summary: route.summary,
    description,
    security: [],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body) }),
    responses,
  };
}

function requestBody({ type, schema }: NonNullable<RawDocument["body"]>): Schema {
  const { examples: [example] = [], ...rest } = schema as Schema & { examples?: unknown[] };
  return { required: true, content: { [type]: { schema: rest, ...(example === undefined ? {} : { example }) } } };
}
