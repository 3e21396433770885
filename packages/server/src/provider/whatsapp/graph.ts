import type { CallResult, ProviderError } from "../provider.ts";
import { graphError, networkError, plainError, statusRefusal } from "./errors.ts";
import type { HttpClient, HttpRequest, HttpResult } from "./http.ts";
import { asRecord, asText } from "./json.ts";
import { bodyOf } from "./outcome.ts";
import { appSecretProof } from "./signature.ts";

/** Calls of the Graph API under one version and one app secret. */
export type Graph = {
  /** POSTs JSON once; the bare result, for the caller to judge. The token must have passed `tokenFault`. */
  post(path: string, call: GraphPost): Promise<HttpResult>;
  /** A call that is safe to repeat: the JSON of its 2xx answer. */
  call(method: HttpRequest["method"], path: string, query: Query, accessToken: string): Promise<CallResult<unknown>>;
  /** Every item of a paged list. */
  list(path: string, query: Query, accessToken: string): Promise<CallResult<unknown[]>>;
};

type GraphPost = Pick<HttpRequest, "body" | "mayWrite" | "signal"> & { accessToken: string };

type Query = Record<string, string>;

/** Pages read of one list: 6,000 templates (Cloud API documentation, templates: create) by 50, with room; it ends a cursor that goes in circles. */
const MAX_PAGES = 400;

/** `root` is the path before every call: what the base URL has, and the version. */
export function createGraph(http: HttpClient, root: string, appSecret: string | null): Graph {
  const proofOf = proofCache(appSecret);

  const request = (method: HttpRequest["method"], path: string, query: Query, post: GraphPost): Promise<HttpResult> => {
    const { accessToken, body, mayWrite, signal } = post;
    const proof = proofOf(accessToken);
    const search = new URLSearchParams(proof === null ? query : { ...query, appsecret_proof: proof }).toString();
    const headers = ["authorization", `Bearer ${accessToken}`, "accept", "application/json"];
    if (body !== null) headers.push("content-type", "application/json");
    const fullPath = search === "" ? `${root}/${path}` : `${root}/${path}?${search}`;
    return http.request({ method, path: fullPath, headers, body, mayWrite, signal });
  };

  const call: Graph["call"] = async (method, path, query, accessToken) => {
    const fault = tokenFault(accessToken);
    if (fault !== null) return { ok: false, error: fault };
    return callResult(await request(method, path, query, { accessToken, body: null }), accessToken);
  };

  return {
    post: (path, post) => request("POST", path, {}, post),
    call,
    list: (path, query, accessToken) => listAll((page) => call("GET", path, { ...query, ...page }, accessToken)),
  };
}

/** Visible ASCII is all that a header can carry; anything else is a damaged token and would fail inside the client. */
export function tokenFault(accessToken: string): ProviderError | null {
  if (/^[\x21-\x7e]+$/.test(accessToken)) return null;
  const detail = "the access token is empty or holds characters that no header can carry";
  return { ...plainError("account", "account_disconnected", { detail }), bytesSent: false };
}

/** The JSON of a 2xx answer, or why there is none. */
function callResult(result: HttpResult, accessToken: string): CallResult<unknown> {
  if (result.kind === "broken") return failure(networkError(result.bytesSent, null, result.detail));
  const { status } = result;
  const body = bodyOf(result.body);
  const refusal = graphError(body, status, accessToken);
  if (refusal !== null) return failure(refusal);
  if (status >= 200 && status < 300 && body !== undefined) return { ok: true, value: body };
  return failure(statusRefusal(status) ?? networkError(true, status, `HTTP ${status} without an error body`));
}

/** An answer in a shape that the documentation does not know. */
export function unreadable(what: string): { ok: false; error: ProviderError } {
  return failure(plainError("transient", "provider_error", { httpStatus: 200, detail: `${what} not as documented` }));
}

function failure(error: ProviderError): { ok: false; error: ProviderError } {
  return { ok: false, error };
}

/** Follows cursors while the answer names a next page; its `next` address is never called, it could be anywhere. */
async function listAll(page: (query: Query) => Promise<CallResult<unknown>>): Promise<CallResult<unknown[]>> {
  const items: unknown[] = [];
  let query: Query = {};
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const answer = await page(query);
    if (!answer.ok) return answer;
    const record = asRecord(answer.value);
    if (!Array.isArray(record?.["data"])) return unreadable("list");
    for (const item of record["data"]) items.push(item);
    const paging = asRecord(record["paging"]);
    const after = asText(asRecord(paging?.["cursors"])?.["after"]);
    if (asText(paging?.["next"]) === null || after === null) return { ok: true, value: items };
    query = { after };
  }
  return unreadable("list without end");
}

/** Tokens whose proof is kept: an HMAC costs more than the rest of a request's preparation, tenants are thousands. */
const MAX_PROOFS = 10_000;

function proofCache(appSecret: string | null): (accessToken: string) => string | null {
  if (appSecret === null) return () => null;
  const proofs = new Map<string, string>();
  return (accessToken) => {
    const known = proofs.get(accessToken);
    if (known !== undefined) return known;
    if (proofs.size >= MAX_PROOFS) proofs.clear();
    const proof = appSecretProof(appSecret, accessToken);
    proofs.set(accessToken, proof);
    return proof;
  };
}
