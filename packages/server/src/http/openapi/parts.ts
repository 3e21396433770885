import { PROBLEMS, Problem, type ProblemCode, type ProblemExtras } from "../problem.ts";
import { PROBLEM_CODES, ProblemBody, problemBody } from "../problem-body.ts";
import type { Schema } from "../route.ts";

const { $id: _name, ...problem } = ProblemBody as unknown as Schema; // plain data, like any schema
/** Schemas that belong to no row of the table. */
export const COMPONENT_SCHEMAS: Schema = { Problem: problem };

const text = (description: string, example: string): Schema => ({
  description,
  schema: { type: "string" },
  example,
});

/** Headers of answers, by name. */
export const COMPONENT_HEADERS: Record<string, Schema> = {
  "X-Request-Id": text(
    "The `X-Request-Id` of the request, or a generated one.",
    "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1",
  ),
  RateLimit: text("Requests left in the current window; absent when the gateway has no limit.", '"default";r=999;t=1'),
  "RateLimit-Policy": text("The limit and its window; absent when the gateway has no limit.", '"default";q=1000;w=1'),
  "Retry-After": {
    description: "Seconds to wait before repeating the request.",
    schema: { type: "integer" },
    example: 1,
  },
  Location: text("Path of the resource.", "/v1/messages/msg_01jd0000000000000000000000"),
  ETag: text("The version of the returned resource, for `If-Match`; of a file, for `If-None-Match`.", '"1"'),
  "Accept-Ranges": text("The file can be read in parts.", "bytes"),
  "Content-Range": text("Which part of the file it is, and of how many bytes.", "bytes 0-1023/146515"),
  Deprecation: text("Since when the operation is deprecated, as a Unix time (RFC 9745).", "@1767225600"),
  Sunset: text("When the operation stops working (RFC 8594).", "Fri, 01 Jan 2027 00:00:00 GMT"),
  "Idempotent-Replayed": text(
    "`true` when this is the stored response to an earlier request with the same idempotency key.",
    "true",
  ),
  "Preference-Applied": text("The part of `Prefer` that was applied.", "wait=10"),
  "WWW-Authenticate": text("The authentication scheme to use.", 'Bearer realm="waypost"'),
};

/** The headers of answers to calls that are limited. */
export const LIMIT_HEADERS = ["RateLimit", "RateLimit-Policy"];

/** References to headers of the components. */
export const headerReferences = (names: readonly string[]): Schema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Of examples: which gateway it is, is not known. */
const PLACE = { requestId: "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1", config: { PUBLIC_URL: null } };

type ProblemExample = { detail: string; extras: ProblemExtras };

const at = (pointer: string, code: string, detail: string): ProblemExample => ({
  detail: code === "required" ? `${pointer}: ${detail}` : detail,
  extras: { errors: [{ pointer, code, detail }] },
});

/** Examples of the refusals that carry more than a title. */
const EXAMPLES: Partial<Record<ProblemCode, ProblemExample>> = {
  invalid_request: at("/to", "required", "is required"),
  invalid_phone_number: at("/to", "invalid_phone_number", "This is not a valid phone number."),
  reference_not_found: at("/reply_to", "reference_not_found", "There is no such resource."),
  template_not_found: at(
    "/template",
    "template_not_found",
    "The sender has the template order_ready in en_US, and not in es_MX.",
  ),
  template_not_approved: at("/template", "template_not_approved", "The template is paused."),
  template_parameters_mismatch: at("/template/components/0/parameters", "count", "The body takes 2 parameters."),
  contact_exists: {
    detail: "A contact has this phone.",
    extras: { resourceId: "con_01jd0000000000000000000000" },
  },
  idempotency_key_reused: {
    detail: "This key was first used at 2026-01-05T09:00:00.000Z for a request that differs.",
    extras: { resourceId: "msg_01jd0000000000000000000000" },
  },
  idempotency_key_expired: {
    detail: "This key was first used at 2026-01-05T09:00:00.000Z; its answer is no longer kept.",
    extras: { resourceId: "msg_01jd0000000000000000000000" },
  },
  provider_rejected: {
    detail: "The provider refused the access token.",
    extras: {
      provider: {
        code: 190,
        subcode: null,
        title: "Invalid OAuth access token.",
        details: null,
        traceId: "AbCdEfGhIjKlMnOpQrStUv1",
      },
    },
  },
};

/** One refusal of each code, rendered as a real one; its title serves as detail where there is no better one. */
export const COMPONENT_EXAMPLES: Schema = Object.fromEntries(
  PROBLEM_CODES.map((code) => {
    const { detail, extras } = EXAMPLES[code] ?? { detail: `${PROBLEMS[code].title}.`, extras: {} };
    const value = JSON.parse(problemBody(new Problem(code, detail, extras), PLACE));
    return [code, { summary: PROBLEMS[code].title, value }];
  }),
);

/** References to these refusals. */
export const problemExamples = (codes: readonly ProblemCode[]): Schema =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
