import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import type { App } from "../../ctx.ts";
import { NIL_WORKSPACE } from "../../lib/ids.ts";
import { maxAge } from "../../lib/max-age.ts";
import { type Authenticate, hasScope } from "../caller.ts";
import { notFound, Problem } from "../problem.ts";
import { addressOf } from "./audit-row.ts";
import type { RateLimit } from "./rate-limit.ts";
import { ANONYMOUS, OPERATOR } from "./state.ts";

/** Decides whether a request may go on, before a byte of its body is read. */
export class Admission {
  readonly #authenticate: Authenticate;
  readonly #rateLimit: RateLimit;
  readonly #operatorKey: string | null;
  readonly #refusals: RefusalLimit;

  constructor(app: Pick<App, "config" | "clock">, authenticate: Authenticate, rateLimit: RateLimit) {
    this.#authenticate = authenticate;
    this.#rateLimit = rateLimit;
    this.#operatorKey = app.config.WAYPOST_OPERATOR_KEY;
    this.#refusals = new RefusalLimit(() => app.clock.monotonic());
  }

  /** Checks key, rate limit and scope, in this order. Throws the refusal. Call it after `matched`. */
  async admit(request: FastifyRequest): Promise<void> {
    const { state } = request;
    const { row } = state.match;
    // Should the router ever find a row by a path that looks like one of another area, the row is not there.
    if (row !== null && row.auth !== state.area) throw notFound();
    if (state.area === "open") return;
    const bearer = bearerOf(request.headers.authorization);
    if (state.area === "operator") {
      if (bearer === null || this.#operatorKey === null || !sameText(bearer, this.#operatorKey))
        throw this.#refuse(request);
      state.identified(NIL_WORKSPACE, OPERATOR);
      return;
    }
    const caller = bearer === null ? null : await this.#authenticate(bearer);
    if (caller === null) throw this.#refuse(request);
    state.identified(caller.workspaceId, caller.actor);
    this.#rateLimit.admit(state);
    // After the limit: a refused caller is in its workspace's audit log, and must not be able to fill it.
    if (caller.refusal !== undefined) throw caller.refusal;
    if (row?.auth === "workspace" && row.scope !== null && !hasScope(caller.actor, row.scope)) {
      throw new Problem("forbidden", `This API key lacks the scope ${row.scope}.`);
    }
  }

  /** 401; after 20 a minute from one address 429, which is not audited any more. Valid keys never come here. */
  #refuse(request: FastifyRequest): Problem {
    const { left, seconds } = this.#refusals.count(addressOf(request) ?? "");
    const limit = `"refused";r=${Math.max(0, left)};t=${seconds}`;
    request.state.limited({ ok: left >= 0, limit, policy: REFUSED_POLICY });
    if (left < 0) {
      return new Problem("rate_limited", "Too many requests without a valid key from this address.", {
        retryAfterSeconds: seconds,
      });
    }
    request.state.identified(NIL_WORKSPACE, ANONYMOUS);
    return new Problem("unauthorized", whyRefused(request.headers.authorization));
  }
}

function bearerOf(header: string | undefined): string | null {
  if (header === undefined || header.length < 8 || !/^bearer[ \t]$/i.test(header.slice(0, 7))) return null;
  return header.slice(7).trim() || null;
}

const BEARER = "`Authorization: Bearer <API_KEY>`";

/** What to do about a header in which no key was found, without anything of it. */
function whyRefused(header: string | undefined): string {
  if (header === undefined || header.trim() === "") return `Send a valid key as ${BEARER}.`;
  const rest = /^bearer(?:\s+|$)(.*)$/i.exec(header.trim())?.[1];
  if (rest === undefined)
    return `The Authorization header does not begin with the word Bearer: send a valid key as ${BEARER}.`;
  if (/^bearer\b/i.test(rest))
    return `The Authorization header has the word Bearer twice, once in the key: send a valid key as ${BEARER}.`;
  if (/^["'`]|["'`]$/.test(rest))
    return `The key in the Authorization header stands in quotes: send a valid key as ${BEARER}, without them.`;
  if (/\s|\\[nr]/.test(rest))
    return `The key in the Authorization header has a space or a line end in it: send a valid key as ${BEARER}.`;
  return `Send a valid key as ${BEARER}.`;
}

// Digests have one length, so the comparison reveals nothing, not even the key's length.
const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));

/** Requests with an invalid key that an address may send in a window and still get 401. */
const MOST_REFUSALS = 20;
const WINDOW_MS = 60_000;
const REFUSED_POLICY = `"refused";q=${MOST_REFUSALS};w=${WINDOW_MS / 1_000}`;
/** Networks remembered. Past it the one seen longest ago is forgotten, which only means that it may try 20 times again. */
const MOST_ADDRESSES = 20_000;

/** Counts refused requests by network, in fixed windows of a minute. */
class RefusalLimit {
  readonly #monotonic: () => number;
  readonly #windows: LRUCache<string, { since: number; count: number }>;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
    this.#windows = new LRUCache({ max: MOST_ADDRESSES, ...maxAge(WINDOW_MS, monotonic) });
  }

  /** Counts one refusal. `left`: how many more the address has, negative past the limit; `seconds`: until its window ends. */
  count(address: string): { left: number; seconds: number } {
    const now = this.#monotonic();
    const window = this.#windowOf(networkOf(address), now);
    window.count += 1;
    return {
      left: MOST_REFUSALS - window.count,
      seconds: Math.max(1, Math.ceil((WINDOW_MS - (now - window.since)) / 1_000)),
    };
  }

  #windowOf(network: string, now: number): { since: number; count: number } {
    const known = this.#windows.get(network);
    if (known) return known;
    const window = { since: now, count: 0 };
    this.#windows.set(network, window, { start: now });
    return window;
  }
}

// One person holds a whole /64 of IPv6; an IPv4 address may arrive in its IPv6 form.
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(":") : parsed.toString();
}
