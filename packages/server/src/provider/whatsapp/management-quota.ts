import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { atMost } from "../../lib/at-most.ts";
import { MINUTE_MS } from "../../lib/duration.ts";
import type { AnswerHeaders } from "./http.ts";
import { asInteger, asRecord, parseProviderJson } from "./json.ts";

/** From this part of an account's quota on, calls that no person waits for are left out: the rest is for people. */
const BACKGROUND_UP_TO_PERCENT = 75;
/** The provider counts over an hour that moves on: so long after it last said how much is used, the next call may ask again. */
const BACKGROUND_AGAIN_MS = 4 * MINUTE_MS;
/** How long an account is left alone whose quota is used up, when the provider does not say until when. */
const CLOSED_MS = 4 * MINUTE_MS;
/** An estimate beyond it is a mistake: the quota counts over one hour (Cloud API documentation, rate limits). */
const LONGEST_CLOSED_MS = 60 * MINUTE_MS;
const MOST_ACCOUNTS = 20_000;

/**
 * Codes of limits of calls, in general: 4 and 341 app, 17 user, 32 page, 613 custom, 80000 to 80014 one kind of business each, of which
 * 80007 and 80008 are accounts (Cloud API documentation, error codes; Graph API, rate limits).
 */
const LIMIT_CODES: ReadonlySet<number> = new Set(
  [4, 17, 32, 341, 613].concat(Array.from({ length: 15 }, (_, i) => 80_000 + i)),
);
const APP_LIMIT = 4;
/** Key of what the whole app uses; ids of accounts are digits. */
const APP = "app";

/** `usedPercent` as of `at`; no call is answered before `closedUntil`. Milliseconds of a clock that only goes on. */
type Usage = { usedPercent: number; at: number; closedUntil: number };

/** What a call is about: the account, as far as it is known, in whose name it is made (`callerOf`), and whether no person waits for it. */
export type Spending = { account: string; caller: string; background: boolean };

/** The account as the owner of this token calls it: any workspace can name any account, with a token of something else. */
export const callerOf = (account: string, accessToken: string): string =>
  `${account} ${createHash("sha256").update(accessToken).digest("base64url")}`;

/**
 * How much of the provider's quota of management calls each account has used, as its answers to this process say: they count the
 * calls of all. Messages are no part of it. (Cloud API documentation, rate limits: `X-Business-Use-Case-Usage`.)
 * What the provider says of an account by its id is true for all who call it; a refusal is about its own token alone.
 */
export class ManagementQuota {
  readonly #now: () => number;
  readonly #usages = new LRUCache<string, Usage>(atMost(MOST_ACCOUNTS));

  /** `now`: milliseconds of a clock that only goes on. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds until such a call is worth making; 0: now. */
  waitMs({ account, caller, background }: Spending): number {
    const now = this.#now();
    const until = [account, caller, APP].map((key) => {
      const usage = this.#usages.get(key);
      if (!usage) return 0;
      const holds = background && usage.usedPercent >= BACKGROUND_UP_TO_PERCENT;
      return Math.max(usage.closedUntil, holds ? usage.at + BACKGROUND_AGAIN_MS : 0);
    });
    return Math.max(0, ...until.map((time) => time - now));
  }

  /** Learns from an answer; `code`: that of its error. True when it is a refusal for the quota. */
  learn({ account, caller }: Omit<Spending, "background">, headers: AnswerHeaders, code: number | null): boolean {
    const app = usageOf(recordIn(headers["x-app-usage"]));
    if (app) this.#note(APP, app);
    for (const [id, entries] of Object.entries(recordIn(headers["x-business-use-case-usage"]) ?? {})) {
      const all = (Array.isArray(entries) ? entries : []).flatMap((entry) => usageOf(asRecord(entry)) ?? []);
      if (all.length === 0) continue;
      this.#note(id, { usedPercent: most(all, "usedPercent"), closedMs: most(all, "closedMs") });
      if (id === account) this.#usages.delete(caller);
    }
    if (code === null || !LIMIT_CODES.has(code)) return false;
    // 4 is also what an account's own limit is answered with: it is the app's where the app's usage says so.
    if (code === APP_LIMIT && (app?.usedPercent ?? 0) >= 100) this.#close(APP);
    // Until the provider's own time, where it gave one.
    else if ((this.#usages.get(account)?.closedUntil ?? 0) <= this.#now()) this.#close(caller);
    return true;
  }

  #note(key: string, { usedPercent, closedMs }: Said): void {
    const at = this.#now();
    this.#usages.set(key, { usedPercent, at, closedUntil: closedMs > 0 ? at + closedMs : 0 });
  }

  /** Until the provider's own time, where it gave one. */
  #close(key: string): void {
    const at = this.#now();
    const { usedPercent = 0, closedUntil = 0 } = this.#usages.get(key) ?? {};
    this.#usages.set(key, { usedPercent, at, closedUntil: closedUntil > at ? closedUntil : at + CLOSED_MS });
  }
}

type Said = { usedPercent: number; closedMs: number };

const most = (all: readonly Said[], name: keyof Said): number => Math.max(...all.map((one) => one[name]));

/** One entry of the header: percents of calls and of time, and minutes until calls are answered again. */
function usageOf(entry: Record<string, unknown> | null): Said | null {
  if (entry === null) return null;
  const percents = ["call_count", "total_cputime", "total_time"].map((name) => Number(entry[name]) || 0);
  const minutes = asInteger(entry["estimated_time_to_regain_access"]) ?? 0;
  return { usedPercent: Math.max(...percents), closedMs: Math.min(LONGEST_CLOSED_MS, minutes * MINUTE_MS) };
}

function recordIn(header: string | string[] | undefined): Record<string, unknown> | null {
  if (typeof header !== "string") return null;
  const parsed = parseProviderJson(header);
  return parsed.ok ? asRecord(parsed.value) : null;
}
