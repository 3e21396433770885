import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { App } from "../../ctx.ts";
import { type Authenticate, hasScope } from "../caller.ts";
import { Problem } from "../problem.ts";
import type { AnyRoute } from "../route.ts";
import type { RateLimit } from "./rate-limit.ts";
import { addressOf, type Exchange, OPERATOR } from "./state.ts";

/** Lets a request in or throws: key, then rate limit, then scope; all before a byte of the body is read. */
export type Admit = (request: FastifyRequest, row: AnyRoute | null) => Promise<void>;

export function createAdmit(app: App, authenticate: Authenticate, rateLimit: RateLimit): Admit {
  const strangers = createStrangers(() => app.clock.monotonic());
  const operatorKey = app.config.WAYPOST_OPERATOR_KEY;

  return async (request, row) => {
    const { exchange } = request;
    exchange.row = row;
    exchange.route = row?.path ?? null;
    if (exchange.area === "open") return;
    const bearer = bearerOf(request.headers.authorization);
    if (exchange.area === "operator") {
      if (bearer === null || operatorKey === null || !sameText(bearer, operatorKey)) throw refuse(strangers, request);
      exchange.actor = OPERATOR;
      exchange.audited = true;
      return;
    }
    const known = bearer === null ? null : await authenticate(bearer);
    if (known === null) throw refuse(strangers, request);
    exchange.workspaceId = known.workspaceId;
    exchange.actor = known.actor;
    exchange.audited = true;
    limit(exchange, rateLimit);
    // After the count: who is turned away is in the audit log of the workspace, and cannot ask without end.
    if (known.refusal !== undefined) throw known.refusal;
    if (row?.auth === "workspace" && row.scope !== null && !hasScope(known.actor, row.scope)) {
      throw new Problem("forbidden", `This API key lacks the scope ${row.scope}.`);
    }
  };
}

function limit(exchange: Exchange, rateLimit: RateLimit): void {
  exchange.allowance = rateLimit(exchange.workspaceId);
  if (exchange.allowance?.ok === false) {
    throw new Problem("rate_limited", "This workspace sends more requests than its limit.", { retryAfterSeconds: 1 });
  }
}

function bearerOf(header: string | undefined): string | null {
  if (header === undefined || header.length < 8 || header.slice(0, 7).toLowerCase() !== "bearer ") return null;
  return header.slice(7).trim() || null;
}

// Digests have one length, so the comparison tells nothing, not even the key's length.
const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));

/** 401; after 20 a minute from one address 429, which is also no longer audited. Good tokens never come here. */
function refuse(strangers: Strangers, request: FastifyRequest): Problem {
  const visit = strangers.visit(addressOf(request) ?? "");
  request.exchange.allowance = {
    ok: visit.left >= 0,
    limit: `"refused";r=${Math.max(0, visit.left)};t=${visit.seconds}`,
    policy: REFUSED_POLICY,
  };
  if (visit.left < 0) {
    return new Problem("rate_limited", "Too many requests without a valid key from this address.", {
      retryAfterSeconds: visit.seconds,
    });
  }
  request.exchange.audited = true;
  return new Problem("unauthorized", "Send a valid key as `Authorization: Bearer <API_KEY>`.");
}

/** Bad tokens a minute and address. */
const MOST_REFUSALS = 20;
const WINDOW_MS = 60_000;
const REFUSED_POLICY = `"refused";q=${MOST_REFUSALS};w=${WINDOW_MS / 1_000}`;
/** Addresses remembered; past it all are forgotten, which only means that they may try 20 times again. */
const MOST_ADDRESSES = 20_000;

type Strangers = { visit(address: string): { left: number; seconds: number } };

function createStrangers(monotonic: () => number): Strangers {
  const windows = new Map<string, { since: number; count: number }>();
  return {
    visit(address) {
      const now = monotonic();
      const name = networkOf(address);
      let window = windows.get(name);
      if (!window || now - window.since >= WINDOW_MS) {
        if (windows.size >= MOST_ADDRESSES) windows.clear();
        window = { since: now, count: 0 };
        windows.set(name, window);
      }
      window.count += 1;
      return {
        left: MOST_REFUSALS - window.count,
        seconds: Math.max(1, Math.ceil((window.since + WINDOW_MS - now) / 1_000)),
      };
    },
  };
}

// One person holds a whole /64 of IPv6; an IPv4 address may come in its IPv6 form.
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(":") : parsed.toString();
}
