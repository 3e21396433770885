import { LRUCache } from "lru-cache";
import { atMost } from "../../lib/at-most.ts";
import type { Access, CallResult, ProviderError } from "../call-result.ts";
import type { PassedResult } from "../passed-calls.ts";
import type { ChangeResult, Sample } from "../template-calls.ts";
import { graphError, isAmbiguous, networkError, plainError, statusRefusal } from "./errors.ts";
import type { HttpRequest, HttpResult, ProviderHttp } from "./http.ts";
import { asRecord, asText } from "./json.ts";
import { callerOf, type ManagementQuota, type Spending } from "./management-quota.ts";
import { bodyOf } from "./outcome.ts";
import { appSecretProof } from "./signature.ts";

/**
 * `hidden`: secrets beside the token, which no error's text may quote. `bodyType` and `bodyBytes` are those of a stream; any other body is
 * JSON.
 */
export type GraphPost = Pick<HttpRequest, "body" | "mayWrite" | "withinMs"> &
  Access & { hidden?: readonly string[]; bodyType?: string; bodyBytes?: number };

/** With a token alone, the quota is that of the object which begins the path: an account, mostly. */
type GraphAccess = string | Access;

/** `hidden` as above. A `bearer` of null sends none. */
type AppCall = { bearer: string | null; hidden: readonly string[]; signal?: AbortSignal | undefined };

type Query = Record<string, string>;

/** What came back, and what it says; `result` is null where nothing was sent. */
type Exchanged = { result: HttpResult | null; answer: CallResult<unknown> };

/** Pages read of one list: 6,000 templates (Cloud API documentation, templates: create) by 50, with room to spare; it ends a list whose cursors form a circle. */
const MAX_PAGES = 400;
/** Calls in flight for one account or number with one token: one for which the provider hangs leaves most sockets to the others. */
const MOST_AT_ONCE = 64;
/** Such calls take some tenths of a second. */
const ROOM_AGAIN_MS = 1_000;
/** Tokens whose proof is cached: an HMAC costs more than the rest of a request's preparation, and there are thousands of tenants. */
const MAX_PROOFS = 10_000;

/** Calls of the Graph API under one version and one app secret. */
export class Graph {
  readonly #http: ProviderHttp;
  readonly #root: string;
  /** By access token; null without an app secret, when calls carry no proof. */
  readonly #proofs: LRUCache<string, string> | null;
  readonly #quota: ManagementQuota;
  /** Calls in flight, by what uses their quota and with which token (`callerOf`); none of 0. */
  readonly #inFlight = new Map<string, number>();

  /** `root` is the path before every call: the path of the base URL, and the version. */
  constructor(http: ProviderHttp, root: string, appSecret: string | null, quota: ManagementQuota) {
    this.#http = http;
    this.#root = root;
    this.#quota = quota;
    this.#proofs =
      appSecret === null
        ? null
        : new LRUCache({ ...atMost(MAX_PROOFS), memoMethod: (accessToken) => appSecretProof(appSecret, accessToken) });
  }

  /** POSTs JSON once and returns the result as it is. The token must have passed `tokenFault`. */
  post(path: string, post: GraphPost): Promise<HttpResult> {
    return this.#request("POST", path, {}, post);
  }

  /** A call that is safe to repeat: the JSON of its 2xx answer. */
  async call(
    method: HttpRequest["method"],
    path: string,
    query: Query,
    access: GraphAccess,
  ): Promise<CallResult<unknown>> {
    const given = typeof access === "string" ? { accessToken: access } : access;
    return await this.#call(method, path, query, { ...given, body: null });
  }

  /** As `call`, with JSON or a stream. */
  async callWith(path: string, post: GraphPost): Promise<CallResult<unknown>> {
    return await this.#call("POST", path, {}, post);
  }

  /** A GET of our app, with no customer's token as its bearer. */
  async callAs(path: string, query: Query, { bearer, hidden, signal }: AppCall): Promise<CallResult<unknown>> {
    const fault = bearer === null ? null : tokenFault(bearer);
    if (fault !== null) return { ok: false, error: fault };
    const answer = await this.#request("GET", path, query, { accessToken: bearer, body: null, signal });
    return callResult(answer, bearer === null ? hidden : [bearer, ...hidden]);
  }

  /** A call that does something: the JSON of its 2xx answer, or whether it may have been done without one. */
  async change(
    method: HttpRequest["method"],
    path: string,
    query: Query,
    post: GraphPost,
  ): Promise<ChangeResult<unknown>> {
    const answer = await this.#call(method, path, query, post);
    return answer.ok ? answer : { ...answer, lost: mayBeDone(answer.error) };
  }

  /** A call whose answer is returned as it is, also where it is an error in JSON. */
  async exchange(method: HttpRequest["method"], path: string, query: Query, post: GraphPost): Promise<PassedResult> {
    const { result, answer } = await this.#exchanged(method, path, query, post);
    const proof = this.#proofs?.memo(post.accessToken);
    const secrets = [post.accessToken, ...(proof === undefined ? [] : [proof])];
    const said = result?.kind === "answer" ? { status: result.status, body: bodyOf(result.body) } : null;
    if (answer.ok) return { ok: true, answer: { status: said?.status ?? 200, body: answer.value }, secrets };
    return { ...answer, secrets, lost: mayBeDone(answer.error), answer: said?.body === undefined ? null : said };
  }

  /** Sends a file to the session of a resumable upload, by the id that the provider gave it, from the first byte on. */
  async upload(
    session: string,
    { bytes, content, type }: Sample,
    { accessToken, signal }: Access,
  ): Promise<CallResult<unknown>> {
    const fault = tokenFault(accessToken);
    if (fault !== null) return { ok: false, error: fault };
    // The documentation names this scheme here and no other.
    const headers = ["authorization", `OAuth ${accessToken}`, "file_offset", "0", "content-type", type];
    headers.push("content-length", String(bytes));
    // The id ends in a query of its own (`?sig=…`) and is part of the path as it is.
    const path = `${this.#root}/${session}`;
    return callResult(await this.#http.request({ method: "POST", path, headers, body: content, signal }), accessToken);
  }

  /** Every item of a paged list. Follows cursors while the answer has a `next` address, which itself is never called: it could lead anywhere. */
  async list(path: string, query: Query, access: GraphAccess): Promise<CallResult<unknown[]>> {
    const items: unknown[] = [];
    let page: Query = {};
    let given = access;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const answer = await this.call("GET", path, { ...query, ...page }, given);
      if (!answer.ok) return answer;
      // A list that was begun is read to its end: the pages so far would be wasted.
      if (typeof given !== "string") given = { ...given, background: false };
      const record = asRecord(answer.value);
      if (!Array.isArray(record?.["data"])) return unreadable("list");
      for (const item of record["data"]) items.push(item);
      const paging = asRecord(record["paging"]);
      const after = asText(asRecord(paging?.["cursors"])?.["after"]);
      if (asText(paging?.["next"]) === null || after === null) return { ok: true, value: items };
      page = { after };
    }
    return unreadable("list without end");
  }

  async #call(
    method: HttpRequest["method"],
    path: string,
    query: Query,
    post: GraphPost,
  ): Promise<CallResult<unknown>> {
    return (await this.#exchanged(method, path, query, post)).answer;
  }

  /** One call within the quota, where it has one: what goes to a number's `messages` does not count there. */
  async #exchanged(method: HttpRequest["method"], path: string, query: Query, post: GraphPost): Promise<Exchanged> {
    const { accessToken, background = false, hidden = [], providerAccountId = path.replace(/\/.*/, "") } = post;
    const fault = tokenFault(accessToken);
    if (fault !== null) return unsent(fault);
    const caller = callerOf(providerAccountId, accessToken);
    if ((this.#inFlight.get(caller) ?? 0) >= MOST_AT_ONCE) return unsent(TOO_MANY_AT_ONCE);
    const secrets = [accessToken, ...hidden];
    const requested = () => this.#counted(caller, this.#request(method, path, query, post));
    if (path.endsWith("/messages")) {
      const sent = await requested();
      return { result: sent, answer: callResult(sent, secrets) };
    }
    const spending: Spending = { account: providerAccountId, caller, background };
    const waitMs = this.#quota.waitMs(spending);
    if (waitMs > 0) return unsent({ ...QUOTA_USED_UP, retryAfterMs: waitMs });
    const result = await requested();
    const answer = callResult(result, secrets);
    const code = answer.ok ? null : (answer.error.provider?.code ?? null);
    const isRefused = result.kind === "answer" && this.#quota.learn(spending, result.headers, code);
    if (answer.ok || !isRefused) return { result, answer };
    return { result, answer: failure({ ...answer.error, retryAfterMs: this.#quota.waitMs(spending) }) };
  }

  async #counted(caller: string, call: Promise<HttpResult>): Promise<HttpResult> {
    this.#inFlight.set(caller, (this.#inFlight.get(caller) ?? 0) + 1);
    try {
      return await call;
    } finally {
      const left = (this.#inFlight.get(caller) ?? 1) - 1;
      if (left === 0) this.#inFlight.delete(caller);
      else this.#inFlight.set(caller, left);
    }
  }

  #request(
    method: HttpRequest["method"],
    path: string,
    query: Query,
    post: Omit<GraphPost, "accessToken"> & { accessToken: string | null },
  ): Promise<HttpResult> {
    const { accessToken, body, bodyType = "application/json", bodyBytes, mayWrite, withinMs, signal } = post;
    const proof = (accessToken === null ? null : this.#proofs?.memo(accessToken)) ?? null;
    const search = new URLSearchParams(proof === null ? query : { ...query, appsecret_proof: proof }).toString();
    const headers = ["accept", "application/json"];
    if (accessToken !== null) headers.push("authorization", `Bearer ${accessToken}`);
    if (body !== null) headers.push("content-type", bodyType);
    if (bodyBytes !== undefined) headers.push("content-length", String(bodyBytes));
    const fullPath = search === "" ? `${this.#root}/${path}` : `${this.#root}/${path}?${search}`;
    return this.#http.request({ method, path: fullPath, headers, body, mayWrite, withinMs, signal });
  }
}

const QUOTA_USED_UP: ProviderError = {
  ...plainError("throttle_number", "rate_limited", {
    detail: "The account's quota of management calls at the provider is used up for now.",
  }),
  bytesSent: false,
};

const TOO_MANY_AT_ONCE: ProviderError = {
  ...plainError("throttle_number", "rate_limited", {
    detail: "Too many calls of this account are waiting for the provider.",
  }),
  bytesSent: false,
  retryAfterMs: ROOM_AGAIN_MS,
};

/** A header can carry visible ASCII only; any other token is damaged and would fail inside the client. */
export function tokenFault(accessToken: string): ProviderError | null {
  if (/^[\x21-\x7e]+$/.test(accessToken)) return null;
  const detail = "the access token is empty or holds characters that no header can carry";
  return { ...plainError("access", "account_disconnected", { detail }), bytesSent: false };
}

/** The JSON of a 2xx answer, or the reason why there is none. */
function callResult(result: HttpResult, secrets: string | readonly string[]): CallResult<unknown> {
  if (result.kind === "broken") return failure(networkError(result.bytesSent, null, result.detail));
  const { status } = result;
  const body = bodyOf(result.body);
  const refusal = graphError(body, status, secrets);
  if (refusal !== null) return failure(refusal);
  if (status >= 200 && status < 300 && body !== undefined) return { ok: true, value: body };
  return failure(statusRefusal(status) ?? networkError(true, status, `HTTP ${status} without an error body`));
}

/**
 * Whether a call that has failed may have been done all the same: its bytes have left, and no answer, one without a Graph body, or
 * one of the codes that only report a failure has come back.
 */
function mayBeDone(error: ProviderError): boolean {
  if (!error.bytesSent) return false;
  if (error.provider !== null) return isAmbiguous(error);
  return error.httpStatus === null || statusRefusal(error.httpStatus) === null;
}

/** The error for an answer that is not as documented. */
export function unreadable(what: string): { ok: false; error: ProviderError } {
  return failure(plainError("transient", "provider_error", { httpStatus: 200, detail: `${what} not as documented` }));
}

const unsent = (error: ProviderError): Exchanged => ({ result: null, answer: failure(error) });

function failure(error: ProviderError): { ok: false; error: ProviderError } {
  return { ok: false, error };
}
