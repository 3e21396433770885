import { randomInt } from "node:crypto";
import type { App, Ctx } from "../../../ctx.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { Problem } from "../../../http/problem.ts";
import { proxyOf } from "../../../lib/safe-fetch/proxy.ts";
import { SafeFetch } from "../../../lib/safe-fetch/safe-fetch.ts";
import { egressPolicy } from "../../../lib/safe-fetch/target.ts";
import { allowedUrl } from "../endpoints/endpoint-url.ts";
import { selectAskedFront } from "../endpoints/front-endpoint.store.ts";
import { isWithin } from "../endpoints/limits.ts";
import { changedHeaders, type OwnHeaders, openHeaders } from "../endpoints/own-headers.ts";
import { type FrontEndpoint, requireFront, uuidOf, withoutSecret } from "../front-endpoint.ts";
import type { NewWebhookEndpoint, WebhookEndpointChange } from "../schema.ts";
import { noteHandshake, selectAskedEndpoint } from "./handshake.store.ts";
import { newFormat, requireOfFormat, verifyTokenContext } from "./settings.ts";

/** A challenge is some digits. */
const READ_BYTES = 1_024;
const WITHIN_MS = 5_000;
/** Of a workspace: a client could have the gateway ask the URLs of others. */
const MOST_A_MINUTE = 10;
const MINUTE_MS = 60_000;
/** Digits, as the provider's: some receivers read a number, and one of this size is exact in all. */
const CHALLENGES = [10 ** 13, 10 ** 14] as const;

/** The provider's verification handshake with the URLs of endpoints in its format, ahead of the transaction that stores the URL. */
export class Handshakes {
  readonly #fetch: SafeFetch;

  constructor({ config, clock }: Pick<App, "config" | "clock">) {
    this.#fetch = new SafeFetch({
      policy: egressPolicy(config.EGRESS_ALLOW_CIDRS, config.EGRESS_ALLOW_PORTS),
      clock,
      proxy: proxyOf(config.EGRESS_PROXY_URL, clock),
      limits: { totalMs: WITHIN_MS, readBytes: READ_BYTES, keepBytes: READ_BYTES },
    });
  }

  /** Of a new endpoint with a `verify_token`; 422 `endpoint_unverified` where its URL does not know it. */
  readonly ofNew = async (ctx: Ctx, { body }: { body: NewWebhookEndpoint }): Promise<null> => {
    newFormat(body);
    const { verify_token: token } = body;
    if (token === undefined || token === null) return null;
    const { header_names, sealed_headers } = { header_names: [], sealed_headers: null };
    const own = changedHeaders(ctx, ctx.workspaceId, { header_names, sealed_headers }, body.headers);
    const headers = openHeaders(ctx.secrets, ctx.workspaceId, ctx.workspaceId, own.sealed_headers);
    await this.#ask(ctx, { url: allowedUrl(ctx, body.url), token, headers });
    return null;
  };

  /** Of an endpoint that gets another URL. */
  readonly ofChange = async (ctx: Ctx, { params, body }: ById & { body: WebhookEndpointChange }): Promise<null> => {
    if (body.url === undefined) return null;
    const id = uuidOfPath("whe", params.id);
    const row = await ctx.db.read(ctx.workspaceId, (sql) => selectAskedEndpoint(sql, ctx.workspaceId, id));
    // It is in our own format, or there is none for this caller, which the verb refuses.
    if (row === null || !isWithin(ctx.actor, row)) return null;
    requireOfFormat({ fields: [] }, body);
    const url = allowedUrl(ctx, body.url);
    const token = body.verify_token === undefined ? this.#stored(ctx, id, row.verify_token) : body.verify_token;
    if (token === null || url === row.url) return null;
    const own = changedHeaders(ctx, id, { header_names: [], sealed_headers: row.sealed_headers }, body.headers);
    await this.#ask(ctx, { url, token, headers: openHeaders(ctx.secrets, ctx.workspaceId, id, own.sealed_headers) });
    return null;
  };

  /** Of an endpoint that a client of the provider's API sets up, at each time. */
  readonly ofFront = async (ctx: Ctx, { of, url, verifyToken }: FrontEndpoint): Promise<null> => {
    requireFront(ctx.actor, of);
    const asked = { url: allowedUrl(ctx, url), token: verifyToken };
    const found = await ctx.db.read(ctx.workspaceId, (sql) => selectAskedFront(sql, ctx.workspaceId, uuidOf(of)));
    if (!found.has_secret) throw withoutSecret();
    const headers = openHeaders(ctx.secrets, ctx.workspaceId, found.id ?? ctx.workspaceId, found.sealed_headers);
    await this.#ask(ctx, { ...asked, headers });
    return null;
  };

  #stored({ secrets, workspaceId }: Ctx, id: string, sealed: Uint8Array | null): string | null {
    return sealed === null ? null : secrets.open(sealed, verifyTokenContext(workspaceId, id)).toString();
  }

  async #ask(ctx: Ctx, asked: { url: string; token: string; headers: OwnHeaders }): Promise<void> {
    const { workspaceId, clock } = ctx;
    const now = clock.now();
    const limit = { now, since: now - MINUTE_MS, most: MOST_A_MINUTE };
    if (!(await ctx.db.transaction(workspaceId, (sql) => noteHandshake(sql, workspaceId, limit))))
      throw new Problem("rate_limited", `A workspace has its URLs asked at most ${MOST_A_MINUTE} times a minute.`, {
        retryAfterSeconds: MINUTE_MS / 1_000,
      });
    const challenge = String(randomInt(...CHALLENGES));
    const url = new URL(asked.url);
    url.searchParams.set("hub.mode", "subscribe");
    url.searchParams.set("hub.challenge", challenge);
    url.searchParams.set("hub.verify_token", asked.token);
    const { headers } = asked;
    const result = await this.#fetch.get({ owner: workspaceId, url: url.href, headers, signal: ctx.signal });
    // Nothing of the answer is shown: it may be of a server that the caller cannot reach.
    const isRight =
      result.kind === "answer" && result.status >= 200 && result.status < 300 && result.snippet.trim() === challenge;
    if (!isRight)
      throw new Problem(
        "endpoint_unverified",
        "The URL did not answer the verification request with status 200 and the challenge alone.",
      );
  }

  stop(): Promise<void> {
    return this.#fetch.close();
  }
}
