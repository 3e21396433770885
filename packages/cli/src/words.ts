import { ApiError, type WaypostError } from "@waypost/sdk";

/** The command line does not say what is needed: told in one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** One line for a person: code, words, places, and the id that finds the request in the gateway's log. */
export function refusalLine(error: WaypostError): string {
  const found = error.requestId === null ? "" : ` (request ${error.requestId})`;
  if (!(error instanceof ApiError)) return `${error.message}${found}`;
  const places = error.errors.map(({ pointer, detail }) => `${pointer || "body"}: ${detail}`).join("; ");
  // One fault alone stands in the detail already.
  return `${error.code}: ${error.message}${error.errors.length > 1 ? ` [${places}]` : ""}${found}`;
}
