import { PROBLEMS, type ProblemCode } from "../problem.ts";
import type { AnyRoute, RawRoute, Schema } from "../route.ts";
import { PROBLEM_JSON } from "../surface.ts";
import { headerReferences, LIMIT_HEADERS, problemExamples } from "./parts.ts";
import type { SharedParts } from "./shared-parts.ts";

/** The refusals of a row, by status. */
export function refusalsOfRow(row: AnyRoute, shared: SharedParts): Schema {
  const limited = (status: number): boolean =>
    // The operator's calls have no limit; calls without a valid key have one.
    row.auth === "workspace" || status === 401 || status === 429;
  return Object.fromEntries(
    [...errorsByStatus(errorCodesOf(row))].map(([status, codes]) => {
      const response = problemResponse(status, codes, limited(status));
      const name = nameOf(codes, limited(status));
      return [status, name === null ? response : shared.refer("responses", name, response)];
    }),
  );
}

/** The refusals of a raw route, by status; `own` are the statuses for which the route has an answer of another format too. */
export function refusalsOfRaw(route: RawRoute, own: ReadonlySet<string>, shared: SharedParts): Schema {
  return Object.fromEntries(
    [...errorsByStatus(codesOfRaw(route))].map(([status, codes]) => {
      const response = problemResponse(status, codes, false);
      const name = own.has(String(status)) ? null : nameOf(codes, false);
      return [status, name === null ? response : shared.refer("responses", name, response)];
    }),
  );
}

/** More codes than that are one operation's own list, and a name of them would be no name. */
const MOST_NAMED = 3;

/** `ConflictOrIdempotencyConflict`: what the refusal is called in the document; null for one that stands where it belongs. */
function nameOf(codes: readonly ProblemCode[], limited: boolean): string | null {
  if (codes.length > MOST_NAMED) return null;
  const names = new Set(codes.map((code) => SHORT_NAMES[code] ?? pascal(code)));
  return `${[...names].join("Or")}${limited ? "" : "Unlimited"}`;
}

/** Every POST has these two, and both. */
const SHORT_NAMES: Partial<Record<ProblemCode, string>> = {
  idempotency_in_progress: "IdempotencyConflict",
  idempotency_key_expired: "IdempotencyConflict",
};

const pascal = (code: string): string =>
  code
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** A refusal with one of these codes, which all have this status. */
function problemResponse(status: number, codes: readonly ProblemCode[], limited: boolean): Schema {
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
      [PROBLEM_JSON.mediaType]: {
        schema: { $ref: "#/components/schemas/Problem" },
        examples: problemExamples(codes),
      },
    },
  };
}

/** The codes that a row declares, and those that any row of its shape can answer. */
export const errorCodesOf = (row: AnyRoute): ProblemCode[] => [...(row.errors ?? []), ...derivedCodesOf(row)];

/** The codes that any row of this shape can answer; no row declares them. */
export function derivedCodesOf(row: AnyRoute): ProblemCode[] {
  const codes: ProblemCode[] = ["invalid_request", "unauthorized", "rate_limited", "internal", "unavailable"];
  // Also without a scope: the workspace may be suspended.
  if (row.auth === "workspace") codes.push("forbidden");
  if (row.params) codes.push("not_found");
  if (row.kind === "rows") codes.push("unsupported_media_type");
  if (row.method !== "GET") codes.push("invalid_json", "payload_too_large", "unsupported_media_type");
  if (row.method === "POST") codes.push("idempotency_in_progress", "idempotency_key_expired", "idempotency_key_reused");
  return codes;
}

function errorsByStatus(codes: readonly ProblemCode[]): Map<number, ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** What any request can get: broken HTTP, nothing at the path, too many bytes, a fault of the gateway. */
const codesOfRaw = (route: RawRoute): ProblemCode[] => [
  "invalid_request",
  ...(route.path.includes("{") ? (["not_found", "unavailable"] as const) : []),
  ...(route.method === "POST" ? (["payload_too_large"] as const) : []),
  "internal",
];
