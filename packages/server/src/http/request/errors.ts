import type { FastifySchemaValidationError } from "fastify";
import { isTransient } from "../../db/connect.ts";
import { CommitUnknown, DatabaseUnavailable } from "../../db/database.ts";
import { type FieldError, notFound, PROBLEMS, Problem, type ProblemExtras } from "../problem.ts";
import { WORDS_OF_PATTERN } from "../texts.ts";
import { pointerToken } from "./body.ts";
import type { Exchange } from "./state.ts";

/** Any thrown value as the one refusal that the caller sees: the only mapper. */
export function toProblem(error: unknown, exchange: Exchange): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailable) return unavailable(error);
  if (error instanceof CommitUnknown) return commitUnknown(error, exchange);
  if (isTransient(error)) return unavailable(error);
  return (
    fromFramework(error) ??
    new Problem("internal", "Something failed here; the request id finds it in the log.", { cause: error })
  );
}

const unavailable = (cause: unknown): Problem =>
  new Problem("unavailable", "The database is busy or away; nothing was done.", { retryAfterSeconds: 1, cause });

// With a key the caller may simply ask again: the key tells what happened. Without one, 503 would say "nothing was done".
function commitUnknown(error: CommitUnknown, exchange: Exchange): Problem {
  if (exchange.keyed) {
    return new Problem("unavailable", "It is not known whether this was done; send it again with the same key.", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  const resourceId = exchange.resource?.id;
  return new Problem(
    "internal",
    `It is not known whether this was done${resourceId ? `; look for ${resourceId}` : ""}.`,
    {
      cause: error,
      ...(resourceId ? { resourceId } : {}),
    },
  );
}

type FrameworkError = { code: string; validation?: FastifySchemaValidationError[]; validationContext?: string };

function fromFramework(error: unknown): Problem | null {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  const { code, validation, validationContext } = error as Error & FrameworkError;
  if (validation)
    return validationContext === "params" ? notFound() : invalid(validation, validationContext === "querystring");
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Problem("payload_too_large", "The body is larger than this path takes.");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Problem("unsupported_media_type", "Send the body as `Content-Type: application/json`.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "ECONNRESET":
      return new Problem("invalid_request", "The body is not as long as its Content-Length says.");
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new Problem("invalid_request", "The path is not valid.");
    default:
      return null;
  }
}

/** Most faults told at once: a union tells one or more per branch. */
const MOST_FAULTS = 20;

function invalid(faults: FastifySchemaValidationError[], inQuery: boolean): Problem {
  const errors = faults.slice(0, MOST_FAULTS).map((fault) => fieldError(fault, inQuery));
  const [first] = errors;
  return new Problem(
    "invalid_request",
    first ? `${first.pointer || "The body"}: ${first.detail}` : "The request does not fit.",
    { errors },
  );
}

function fieldError(fault: FastifySchemaValidationError, inQuery: boolean): FieldError {
  const name = fault.params["missingProperty"] ?? fault.params["additionalProperty"];
  const path = typeof name === "string" ? `${fault.instancePath}/${pointerToken(name)}` : fault.instancePath;
  return {
    pointer: inQuery ? `?${path.slice(1)}` : path,
    code: wordsOfPattern(fault) === undefined ? (CODES[fault.keyword] ?? fault.keyword) : "invalid_text",
    detail: detailOf(fault),
  };
}

const CODES: Record<string, string> = { additionalProperties: "unknown_field", anyOf: "no_match", oneOf: "no_match" };

const wordsOfPattern = ({ params }: FastifySchemaValidationError): string | undefined =>
  WORDS_OF_PATTERN[String(params["pattern"])];

function detailOf(fault: FastifySchemaValidationError): string {
  if (fault.keyword === "required") return "is required";
  if (fault.keyword === "additionalProperties") return "is not a field here";
  const allowed = fault.params["allowedValues"];
  if (Array.isArray(allowed)) return `must be one of ${allowed.join(", ")}`;
  return wordsOfPattern(fault) ?? fault.message ?? "is not valid";
}

/** RFC 9457 body; `type` is stable and means the code, it leads nowhere. */
export function problemBody(problem: Problem, requestId: string): string {
  const { status, title, retryable } = PROBLEMS[problem.code];
  const { errors, provider, resourceId } = problem.extras;
  return JSON.stringify({
    type: `urn:waypost:error:${problem.code}`,
    title,
    status,
    detail: problem.message,
    code: problem.code,
    request_id: requestId,
    retryable,
    ...(resourceId === undefined ? {} : { resource_id: resourceId }),
    ...(errors === undefined ? {} : { errors }),
    ...(provider ? { provider: providerWords(provider) } : {}),
  });
}

const providerWords = ({ code, subcode, title, details, traceId }: NonNullable<ProblemExtras["provider"]>): object => ({
  code,
  subcode,
  title,
  details,
  trace_id: traceId,
});
