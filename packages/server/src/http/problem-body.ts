import { Type } from "typebox";
import type { ProblemPlace } from "./error-format.ts";
import { PROBLEMS, type Problem, type ProblemCode, type ProblemExtras } from "./problem.ts";

/** The codes of the catalogue. */
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]; // its own keys

const PROVIDER_ERROR = {
  type: "object",
  description: "The provider's own error, if it reported one.",
  required: ["code", "subcode", "title", "details", "trace_id"],
  properties: {
    code: { type: "integer" },
    subcode: { type: ["integer", "null"] },
    title: { type: "string" },
    details: { type: ["string", "null"] },
    trace_id: { type: ["string", "null"], description: "Identifies the request to the provider's support." },
  },
};

const FIELD_ERROR = {
  type: "object",
  required: ["pointer", "code", "detail"],
  properties: {
    pointer: {
      type: "string",
      description: "JSON pointer into the body, or `?name` for the query; empty for the whole body.",
    },
    code: { type: "string", description: "A stable code for what is wrong there." },
    detail: { type: "string", description: "A human-readable explanation." },
  },
};

/** The body of a refusal, which is also how one item of a list is refused. */
export const ProblemBody = Type.Unsafe<Record<string, unknown>>({
  $id: "Problem",
  type: "object",
  description: "An error (RFC 9457). Act on `code`; `title` and `detail` are for humans and may change.",
  required: ["type", "title", "status", "detail", "code", "request_id", "retryable"],
  properties: {
    type: {
      type: "string",
      description:
        "The address of the code's page, relative to the gateway's where that is not configured (`PUBLIC_URL`).",
    },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: PROBLEM_CODES },
    request_id: { type: "string", description: "Identifies the request in the gateway's log and audit log." },
    retryable: { type: "boolean", description: "Whether the same request may succeed later without a change." },
    resource_id: { type: "string", description: "The resource that the error is about, if there is one." },
    errors: { type: "array", items: FIELD_ERROR, description: "Each place in the request that is not valid." },
    provider: PROVIDER_ERROR,
  },
});

/** The body of RFC 9457, one line. */
export const problemBody = (problem: Problem, place: ProblemPlace): string =>
  `${JSON.stringify(problemFields(problem, place))}\n`;

/** Its fields. `type` is the address of the code's page; without PUBLIC_URL a reference that resolves at the gateway (RFC 9457, 3.1.1). */
export function problemFields(problem: Problem, { requestId, config }: ProblemPlace): Record<string, unknown> {
  const { title, retryable } = PROBLEMS[problem.code];
  const { errors, provider, resourceId } = problem.extras;
  return {
    type: `${config.PUBLIC_URL ?? ""}/docs/errors/${problem.code}`,
    title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    retryable,
    ...(resourceId === undefined ? {} : { resource_id: resourceId }),
    ...(errors === undefined ? {} : { errors }),
    ...(provider ? { provider: providerFields(provider) } : {}),
  };
}

const providerFields = ({
  code,
  subcode,
  title,
  details,
  traceId,
}: NonNullable<ProblemExtras["provider"]>): object => ({
  code,
  subcode,
  title,
  details,
  trace_id: traceId,
});
