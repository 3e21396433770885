import type { FastifySchemaValidationError } from "fastify";
import { CommitUnknown } from "../../db/database.ts";
import { FileMissing, FileStoreUnavailable, FileTooLarge } from "../../files/file-store.ts";
import { passingFault } from "../passing-fault.ts";
import { type FieldError, notFound, Problem, pointerToken } from "../problem.ts";
import { type PatternFault, patternFaultOf } from "../schema-types.ts";
import { HOW_WRITTEN } from "../timestamps.ts";
import type { RequestState } from "./state.ts";

/** Maps any thrown value to the refusal that the caller gets. Nothing else does; how it is written, the surface says. */
export function toProblem(error: unknown, state: RequestState): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof CommitUnknown) return commitUnknown(error, state);
  return (
    passingFault(error) ??
    fromFiles(error) ??
    fromFramework(error) ??
    new Problem("internal", "Something failed here; the request id finds it in the log.", { cause: error })
  );
}

// With a key the caller can repeat the request: the key's row says what happened. Without one, 503 would claim that nothing was done.
function commitUnknown(error: CommitUnknown, state: RequestState): Problem {
  if (state.hasKey) {
    return new Problem("unavailable", "It is not known whether this was done; send it again with the same key.", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  const resourceId = state.resource?.id;
  return new Problem(
    "internal",
    `It is not known whether this was done${resourceId ? `; look for ${resourceId}` : ""}.`,
    {
      cause: error,
      ...(resourceId ? { resourceId } : {}),
    },
  );
}

function fromFiles(error: unknown): Problem | null {
  if (error instanceof FileTooLarge)
    return new Problem("payload_too_large", "The file is larger than this path takes.");
  if (error instanceof FileMissing)
    return new Problem("unavailable", "The file cannot be read at the moment.", {
      retryAfterSeconds: 60,
      cause: error,
    });
  if (!(error instanceof FileStoreUnavailable)) return null;
  return new Problem("unavailable", "The gateway's file store is not available at the moment; nothing was done.", {
    retryAfterSeconds: 60,
    cause: error,
  });
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

/** Most faults in one answer: a union reports one or more for each branch. */
const MOST_FAULTS = 20;

/** 400 for what a schema found. */
export function invalid(faults: FastifySchemaValidationError[], inQuery = false): Problem {
  // A condition only says that what it leads to has a fault, which stands beside it.
  const own = faults.filter(({ keyword }) => keyword !== "if");
  const errors = own.slice(0, MOST_FAULTS).map((fault) => fieldError(fault, inQuery));
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
    code: patternFault(fault)?.code ?? CODES[fault.keyword] ?? fault.keyword,
    detail: detailOf(fault, inQuery),
  };
}

const CODES: Record<string, string> = { additionalProperties: "unknown_field", anyOf: "no_match", oneOf: "no_match" };

const patternFault = ({ params }: FastifySchemaValidationError): PatternFault | undefined =>
  patternFaultOf(String(params["pattern"]));

function detailOf(fault: FastifySchemaValidationError, inQuery: boolean): string {
  if (fault.keyword === "required") return "is required";
  if (fault.keyword === "additionalProperties") return "is not a field here";
  const allowed = fault.params["allowedValues"];
  if (Array.isArray(allowed)) return `must be one of ${allowed.join(", ")}`;
  const explained = patternFault(fault);
  if (explained !== undefined) return explained.detail + (inQuery ? (explained.inQuery ?? "") : "");
  // Its message would quote the regular expression.
  if (fault.keyword === "pattern") return "is not written as this field takes it";
  return limitFault(fault) ?? fault.message ?? "is not valid";
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** The unit that the name of a number ends with. */
const UNITS: Readonly<Record<string, string>> = {
  ms: "milliseconds",
  seconds: "seconds",
  minutes: "minutes",
  hours: "hours",
  days: "days",
};

const NO_SUCH_TIME = "must be a time that there is, such as 2026-01-31T09:30:00Z: look at its day, hour and offset";
/** Names of times. */
const TIME = /_(at|after|before)$/;

/** What a limit allows, and what to do. Of a number with a unit in its name the unit too: it is often given in another one. */
function limitFault({ keyword, params, instancePath }: FastifySchemaValidationError): string | undefined {
  const limit = Number(params["limit"]);
  const unit = UNITS[/_([a-z]+)$/.exec(instancePath)?.[1] ?? ""];
  switch (keyword) {
    case "maximum":
      return unit && `must be at most ${limit} ${unit}`;
    case "minimum":
      return unit && `must be at least ${limit} ${unit}`;
    case "type":
      // Of seconds since 1970 too, which many programs count in.
      if (params["type"] === "string" && TIME.test(instancePath)) return HOW_WRITTEN;
      return unit && params["type"] === "integer" ? `must be a whole number of ${unit}` : undefined;
    case "format":
      return params["format"] === "date-time" ? NO_SUCH_TIME : undefined;
    case "maxLength":
      return `must have at most ${counted(limit, "character")}: shorten it`;
    case "minLength":
      return limit === 1 ? "must not be empty" : `must have at least ${counted(limit, "character")}`;
    case "maxItems":
      return limit === 0 ? "must be empty" : `must have at most ${counted(limit, "item")}: leave some out`;
    case "minItems":
      return `must have at least ${counted(limit, "item")}: add some`;
    default:
      return undefined;
  }
}
