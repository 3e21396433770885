import type { ProviderError } from "../../../provider/provider.ts";

/** What follows a refusal: the message fails at once, or is sent again after `afterMs`. */
export type Verdict = { kind: "failed" } | { kind: "retry"; afterMs: number; pauseLaneMs: number };

/** Pair throttle: 4^X seconds, X from 0 (the provider's page on pair rate); the wait no longer grows after the sixth. */
const PAIR_BASE_MS = 1_000;
const PAIR_MOST_EXPONENT = 5;
/** A throttled number sends nothing for this long: the provider measures its limit over about a second. */
const NUMBER_PAUSE_MS = 1_000;
const NUMBER_MOST_PAUSE_MS = 30_000;
/** Transient answers: 2 s, 8 s, 32 s, … */
const TRANSIENT_BASE_MS = 2_000;
const TRANSIENT_MOST_MS = 15 * 60_000;
/** Attempts after which a transient answer counts as final: about 20 minutes of trouble. */
const TRANSIENT_ATTEMPTS = 7;
/** Throttles end with the message's own `expires_at`, or after about a day of the longest wait. */
const THROTTLE_ATTEMPTS = 90;
/** Without a usable token: the account is disconnected and its lane closes; the message is sent once it is connected again. */
export const DISCONNECTED_MS = 60_000;

/** `attempt` is the one that was refused, from 1; `random` in [0, 1) spreads retries. */
export function afterRefusal(error: ProviderError, attempt: number, random: number): Verdict {
  const spread = (ms: number): number => Math.round(ms * (0.8 + 0.4 * random));
  switch (error.class) {
    case "throttle_pair":
      return attempt >= THROTTLE_ATTEMPTS
        ? FAILED
        : { kind: "retry", afterMs: PAIR_BASE_MS * 4 ** Math.min(attempt - 1, PAIR_MOST_EXPONENT), pauseLaneMs: 0 };
    case "throttle_number": {
      const pause = Math.min(NUMBER_MOST_PAUSE_MS, NUMBER_PAUSE_MS * 2 ** Math.min(attempt - 1, 5));
      return attempt >= THROTTLE_ATTEMPTS ? FAILED : { kind: "retry", afterMs: spread(pause), pauseLaneMs: pause };
    }
    case "transient":
      return attempt >= TRANSIENT_ATTEMPTS
        ? FAILED
        : {
            kind: "retry",
            afterMs: spread(Math.min(TRANSIENT_MOST_MS, TRANSIENT_BASE_MS * 4 ** (attempt - 1))),
            pauseLaneMs: 0,
          };
    case "account":
      return error.tokenDead ? { kind: "retry", afterMs: DISCONNECTED_MS, pauseLaneMs: DISCONNECTED_MS } : FAILED;
    case "throttle_long":
    case "permanent":
    case "recipient":
    case "later":
    case "window":
      return FAILED;
  }
}

const FAILED: Verdict = { kind: "failed" };
