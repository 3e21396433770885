import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import type { Actor, App } from "../../ctx.ts";
import { atMost } from "../../lib/at-most.ts";
import { NIL_WORKSPACE } from "../../lib/ids.ts";
import { maxAge } from "../../lib/max-age.ts";
import type { Access } from "../call.ts";
import { ANONYMOUS, type Caller, hasScope } from "../caller.ts";
import type { Keys } from "../credentials.ts";
import { Problem } from "../problem.ts";
import { type Callers, unlistedOn } from "../surface.ts";
import { addressOf } from "./audit-row.ts";
import type { RateLimit } from "./limits/rate-limit.ts";
import type { Match } from "./state.ts";

/** Decides whether a request may go on, before a byte of its body is read. */
export class Admission {
  readonly #keys: Keys;
  readonly #rateLimit: RateLimit;
  readonly #refusals: RefusalLimit;

  constructor(
    app: Pick<App, "config" | "clock">,
    { authenticate, sessions, setupLinks }: Omit<Keys, "operatorKey">,
    rateLimit: RateLimit,
  ) {
    this.#keys = { authenticate, sessions, setupLinks, operatorKey: app.config.WAYPOST_OPERATOR_KEY };
    this.#rateLimit = rateLimit;
    this.#refusals = new RefusalLimit(() => app.clock.monotonic());
  }

  /**
   * Checks caller, rate limit and scope, in this order, for the route that the router found; null: none. Throws the refusal. A route
   * of another surface is none either, which only a caller of the request's own surface learns.
   */
  async admit(request: FastifyRequest, match: Match | null): Promise<void> {
    const { state } = request;
    const { callers } = state.surface;
    const found = match === null || state.matched(match);
    if (callers !== null) await this.#identify(request, callers);
    if (!found) throw unlistedOn(state.surface);
    if (match?.row) requireRights(state.actor, match.row);
  }

  /**
   * Whether the caller of an answer that goes on has every right that it had when it was admitted. Rejects while that cannot be found out.
   */
  async isStillAdmitted(request: FastifyRequest): Promise<boolean> {
    const { actor, workspaceId, surface } = request.state;
    if (surface.callers === null) return true;
    const caller = await this.#callerOf(request, surface.callers);
    return (
      caller !== null &&
      caller.refusal === undefined &&
      caller.workspaceId === workspaceId &&
      actor.scopes.every((scope) => caller.actor.scopes.includes(scope))
    );
  }

  /** The caller that a request names; null when what it gives is not valid, or it gives nothing. */
  async #callerOf({ raw }: Pick<FastifyRequest, "raw">, { credentials }: Callers): Promise<Caller | null> {
    for (const { read, find } of credentials) {
      const given = read(raw, this.#keys);
      if (given !== null) return await find(given, this.#keys, raw);
    }
    return null;
  }

  async #identify(request: FastifyRequest, callers: Callers): Promise<void> {
    const { state } = request;
    const caller = await this.#callerOf(request, callers);
    if (caller === null) throw this.#refuse(request, callers);
    state.identified(caller.workspaceId, caller.actor);
    caller.used?.();
    if (callers.auth === "workspace" && callers.isBounded !== true) this.#rateLimit.admit(state);
    // After the limit: a refused caller is in its workspace's audit log, and must not be able to fill it.
    if (caller.refusal !== undefined) throw caller.refusal;
  }

  /** 401; after 20 a minute from one address 429, which is not audited any more. Valid keys never come here. */
  #refuse(request: FastifyRequest, { refusal }: Callers): Problem {
    const tooMany = this.countRefused(request);
    if (tooMany !== null) return tooMany;
    request.state.identified(NIL_WORKSPACE, ANONYMOUS);
    return refusal(request.raw, this.#keys);
  }

  /** Counts a request without a valid key. The refusal of one too many of its address; null for the others. */
  countRefused(request: FastifyRequest): Problem | null {
    const { left, seconds } = this.#refusals.count(addressOf(request) ?? "");
    const limit = `"refused";r=${Math.max(0, left)};t=${seconds}`;
    request.state.limited({ ok: left >= 0, limit, policy: REFUSED_POLICY });
    if (left >= 0) return null;
    return new Problem("rate_limited", "Too many requests without a valid key from this address.", {
      retryAfterSeconds: seconds,
    });
  }
}

/** Throws 403 for a key without the scope of a row, or one that is limited to phone numbers where the row takes none. */
export function requireRights(actor: Actor, { auth, scope, limitedKeys }: Access): void {
  if (auth !== "workspace") return;
  if (scope != null && !hasScope(actor, scope))
    throw new Problem("forbidden", `This API key lacks the scope ${scope}.`);
  if (actor.phoneNumberIds !== null && limitedKeys === undefined) throw beyondLimit();
}

/** 403: what is asked for concerns the whole workspace or account, and the key some of its numbers. */
const beyondLimit = (): Problem =>
  new Problem(
    "forbidden",
    "This API key is limited to phone numbers, and this is not about a phone number alone: use a key without phone_number_ids.",
  );

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
    this.#windows = new LRUCache({ ...atMost(MOST_ADDRESSES), ...maxAge(WINDOW_MS, monotonic) });
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
