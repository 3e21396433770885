import { ApiError, ConnectionError, type WaypostError } from "@waypost/sdk";
import type { Address } from "./connection.ts";
import { REMEDIES } from "./remedies.gen.ts";

/** One line: code, text, fields, what to do, the id that finds the request in the gateway's log, and which gateway was asked. */
export function refusalLine(error: WaypostError, asked: Address | null = null): string {
  const request = error.requestId === null ? [] : [`request ${error.requestId}`];
  const address = asked === null ? [] : [`${asked.baseUrl} from ${asked.from}`];
  const about = [...request, ...address].join(", ");
  const end = about === "" ? "" : ` (${about})`;
  if (!(error instanceof ApiError)) return `${error.message}${awayHint(error, asked)}${end}`;
  return `${error.code}: ${detailOf(error)}${hintOf(error)}${end}`;
}

/** A single fault is already in the detail; of more, the detail may be the first one. */
function detailOf({ message, errors }: ApiError): string {
  if (errors.length < 2) return message;
  const fields = errors.map(({ pointer, detail }) => `${pointer || "body"}: ${detail}`).join("; ");
  return errors.some(({ detail }) => detail === message) ? fields : `${message} [${fields}]`;
}

/** The file of an `npm start` that has ended stays. */
const awayHint = (error: WaypostError, asked: Address | null): string =>
  error instanceof ConnectionError && asked?.from.endsWith("dev.json") ? "; is `npm start` running?" : "";

function hintOf(error: ApiError): string {
  if (error.errors[0]?.code === "invalid_columns") return columnHint(error.message);
  const remedy = REMEDIES[error.code];
  return remedy === undefined ? "" : ` ${remedy}`;
}

/** The API says to map it; here that is an option. */
function columnHint(detail: string): string {
  const [, column] = /column `([^`]+)`/.exec(detail) ?? [];
  if (column === undefined) return "";
  const field = `attributes.${column.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")}`;
  return ` Give --mapping '${JSON.stringify({ [column]: field })}', or --mapping '${JSON.stringify({ [column]: null })}' to leave it out.`;
}
