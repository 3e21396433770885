import type { ErrorFormat } from "../error-format.ts";
import { PROBLEMS, type Problem, type ProblemCode } from "../problem.ts";
import type { GraphError } from "./graph-error.ts";

/** What there is not, and what is another workspace's. */
const MISSING = { status: 400, code: 100, subcode: 33, type: "GraphMethodException" } as const;
const INVALID = { status: 400, code: 100 } as const;
const THROTTLED = { status: 429, code: 130429, transient: true } as const;

/** Every code of the catalogue. The numbers are the provider's; where it has none that fits, that which makes clients do the right thing. */
export const GRAPH_ERRORS: Readonly<Record<ProblemCode, GraphError>> = {
  invalid_json: INVALID,
  invalid_request: INVALID,
  unauthorized: { status: 401, code: 190 },
  forbidden: { status: 403, code: 10 },
  not_found: MISSING,
  method_not_allowed: { status: 405, code: 3 },
  conflict: INVALID,
  contact_exists: INVALID,
  idempotency_in_progress: { status: 409, code: 2, transient: true },
  idempotency_key_expired: { status: 409, code: 100 },
  precondition_failed: { status: 412, code: 100 },
  payload_too_large: { status: 413, code: 100 },
  unsupported_media_type: { status: 415, code: 100 },
  idempotency_key_reused: INVALID,
  invalid_phone_number: { status: 400, code: 131009 },
  reference_not_found: MISSING,
  template_not_found: { status: 404, code: 132001 },
  template_not_approved: { status: 400, code: 132015 },
  template_parameters_mismatch: { status: 400, code: 132000 },
  window_closed: { status: 400, code: 131047 },
  thread_not_owned: { status: 403, code: 131005 },
  recipient_opted_out: { status: 400, code: 131050 },
  sender_unavailable: { status: 400, code: 133010 },
  media_not_found: MISSING,
  endpoint_unverified: { status: 400, code: 100, subcode: 2200 },
  provider_rejected: INVALID,
  provider_unavailable: { status: 503, code: 2, transient: true },
  rate_limited: THROTTLED,
  messaging_limit_reached: THROTTLED,
  queue_full: THROTTLED,
  internal: { status: 500, code: 1 },
  unavailable: { status: 503, code: 2, transient: true },
};

/** A kind of parameter that is wrong, in place of their number: what the provider numbers apart. */
const WRONG_FORMAT: GraphError = { status: 400, code: 132012 };

/** What the answer to a problem says: the provider's own numbers where it has refused, or those of the table. */
export function graphErrorOf(problem: Problem): GraphError {
  const { provider, graph, status, errors } = problem.extras;
  if (graph !== undefined) return graph;
  const ours = GRAPH_ERRORS[problem.code];
  if (provider && problem.code === "provider_rejected")
    return { ...ours, code: provider.code, ...(provider.subcode === null ? {} : { subcode: provider.subcode }) };
  if (problem.code === "template_parameters_mismatch" && errors?.every(({ code }) => !COUNTED.has(code)) === true)
    return WRONG_FORMAT;
  return status === undefined ? ours : { ...ours, status };
}

/** Faults of the number of parameters. */
const COUNTED = new Set(["required", "too_many", "unexpected"]);

/** The envelope of the provider's errors. */
export const GRAPH_FORMAT: ErrorFormat = {
  mediaType: "application/json",
  status: (problem) => graphErrorOf(problem).status,
  body: (problem, { requestId }) => JSON.stringify({ error: envelopeOf(problem, requestId) }),
};

function envelopeOf(problem: Problem, requestId: string): object {
  const { code, title, subcode, transient, type = "OAuthException" } = graphErrorOf(problem);
  const { provider, errors } = problem.extras;
  return {
    message: `(#${code}) ${provider?.title ?? title ?? PROBLEMS[problem.code].title}`,
    type,
    code,
    ...(subcode === undefined ? {} : { error_subcode: subcode }),
    is_transient: transient === true,
    error_data: {
      messaging_product: "whatsapp",
      details: provider?.details ?? problem.message,
      // What ours is called, for people who look it up.
      code: problem.code,
      ...(errors === undefined ? {} : { errors }),
    },
    fbtrace_id: requestId,
  };
}
