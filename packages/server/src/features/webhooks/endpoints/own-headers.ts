import type { TxCtx } from "../../../ctx.ts";
import { invalidAt } from "../../../http/problem.ts";
import type { Secrets } from "../../../lib/secrets.ts";

/** Headers of an endpoint's own, by name in lower case. */
export type OwnHeaders = Record<string, string>;

export const MOST_HEADERS = 10;
/** Most servers take 8 KiB of headers, of which ten secrets and the rest of ours need up to 2. */
const MOST_CHARACTERS = 4_096;

/** Ours, those of the connection and of the body, and what the HTTP client sets by itself. */
const RESERVED = [
  /^(x-service|webhook|content|proxy)-/,
  /^x-hub-signature/,
  /^(host|user-agent|accept-encoding|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|http2-settings)$/,
];

/** The associated data of sealed headers: copied into another endpoint's row, they cannot be decrypted. */
const contextOf = (workspaceId: string, endpointId: string): string => `webhook-headers:${workspaceId}:${endpointId}`;

type Sealed = { header_names: string[]; sealed_headers: Uint8Array | null };

/**
 * The headers of an endpoint after a request: what is given is set, null removes, others stay. Names are the same in any case. 400 for a
 * reserved name, one that is given twice, and where there would be too many.
 */
export function changedHeaders(
  { secrets, workspaceId }: Pick<TxCtx, "secrets" | "workspaceId">,
  endpointId: string,
  before: Sealed,
  given: Readonly<Record<string, string | null>> | undefined,
): Sealed {
  if (given === undefined) return { header_names: before.header_names, sealed_headers: before.sealed_headers };
  const headers = new Map(Object.entries(openHeaders(secrets, workspaceId, endpointId, before.sealed_headers)));
  const seen = new Set<string>();
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase();
    if (RESERVED.some((pattern) => pattern.test(name)))
      throw invalidAt(
        `/headers/${written}`,
        `\`${name}\` is set by the gateway or by HTTP itself; choose another name.`,
      );
    if (seen.has(name)) throw invalidAt(`/headers/${written}`, "The header is given twice, in different case.");
    seen.add(name);
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  if (headers.size > MOST_HEADERS)
    throw invalidAt("/headers", `An endpoint has at most ${MOST_HEADERS} headers of its own.`);
  const sorted = [...headers].sort(([a], [b]) => (a < b ? -1 : 1));
  if (sorted.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > MOST_CHARACTERS)
    throw invalidAt("/headers", `The headers of an endpoint have at most ${MOST_CHARACTERS} characters together.`);
  return {
    header_names: sorted.map(([name]) => name),
    sealed_headers:
      sorted.length === 0
        ? null
        : secrets.seal(JSON.stringify(Object.fromEntries(sorted)), contextOf(workspaceId, endpointId)),
  };
}

/** Throws when they cannot be decrypted. */
export const openHeaders = (
  secrets: Secrets,
  workspaceId: string,
  endpointId: string,
  sealed: Uint8Array | null,
): OwnHeaders =>
  sealed === null
    ? {}
    : (JSON.parse(secrets.open(sealed, contextOf(workspaceId, endpointId)).toString()) as OwnHeaders); // as `changedHeaders` wrote them
