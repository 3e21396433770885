import { ApiError, type WaypostError } from "@waypost/sdk";

/** One line: code, text, fields, and the id that finds the request in the gateway's log. */
export function refusalLine(error: WaypostError): string {
  const request = error.requestId === null ? "" : ` (request ${error.requestId})`;
  if (!(error instanceof ApiError)) return `${error.message}${request}`;
  const fields = error.errors.map(({ pointer, detail }) => `${pointer || "body"}: ${detail}`).join("; ");
  // A single fault is already in the detail.
  return `${error.code}: ${error.message}${error.errors.length > 1 ? ` [${fields}]` : ""}${request}`;
}
