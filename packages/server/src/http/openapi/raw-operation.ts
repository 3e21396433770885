import type { Schema } from "../json-schema.ts";
import type { ProblemCode } from "../problem.ts";
import type { RawDocument, RawRoute } from "../route.ts";
import { errorsByStatus, problemResponse } from "./operation.ts";
import { rawOperationIdOf } from "./operation-id.ts";
import { headerReferences } from "./parts.ts";
import { parametersOf } from "./schema-parts.ts";

/** A raw route as an operation of the document; its bytes are described by its own words. */
export function describeRaw(route: RawRoute, document: RawDocument): Schema {
  const { tag, description, query, headers, body, answers } = document;
  const parameters = [...parametersOf("query", query), ...parametersOf("header", headers)];
  const responses: Schema = {};
  for (const [status, codes] of errorsByStatus(refusalsOf(route)))
    responses[status] = problemResponse(status, codes, false);
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

/** What any request can meet: broken HTTP, bytes beyond the limit, a fault of ours. */
const refusalsOf = (route: RawRoute): ProblemCode[] => [
  "invalid_request",
  ...(route.method === "POST" ? (["payload_too_large"] as const) : []),
  "internal",
];
