/** Where the calls of the provider's API stand among the routes; no request of a client can name it. */
export const GRAPH_ROOT = "/graph";

/** `/v23.0/…` of any version, and `/v23/…`; `/v1/…` is our own API. */
const VERSION = String.raw`\/+v(?!1(?:\/|$))\d{1,3}(?:\.\d{1,3})?`;
/** What calls without a version begin with: some clients send none. No path of ours does. */
const FIRST = String.raw`\/+(?:\d{1,40}|me|debug_token|oauth\/+access_token|app\/+uploads|upload:[^/]*)`;

/** The paths of the provider's API, whole. */
export const GRAPH_PATHS = new RegExp(`^(?:${VERSION}(?:\\/.*)?|${FIRST}(?:\\/.*)?)$`, "is");

/** A call without an id, of which a page of the console has the path too. */
export const GRAPH_SEND = /^\/+messages\/*$/i;

const VERSION_SEGMENT = /^v\d{1,3}(?:\.\d{1,3})?$/i;

/** A URL as its call is registered: without origin, version and needless slashes, with its query. */
export function routedGraphUrl(url: string): string {
  const end = url.indexOf("?");
  const path = (end < 0 ? url : url.slice(0, end)).replace(/^https?:\/\/[^/]+/i, "");
  const segments = path.split("/").filter((segment) => segment !== "");
  if (VERSION_SEGMENT.test(decoded(segments[0] ?? ""))) segments.shift();
  return `${GRAPH_ROOT}/${segments.join("/")}${end < 0 ? "" : url.slice(end)}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // the router refuses it too
  }
}
