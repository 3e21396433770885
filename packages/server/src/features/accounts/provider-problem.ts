import { Problem } from "../../http/problem.ts";
import type { ProviderError } from "../../provider/provider.ts";
import { reasonOf } from "./account-failures.ts";

/** Classes of errors that say nothing against the request: it may succeed later. */
const PASSING: ReadonlySet<ProviderError["class"]> = new Set([
  "throttle_number",
  "throttle_pair",
  "throttle_long",
  "unreachable",
  "transient",
]);

/** The provider's quota without a time: it counts over an hour, and is asked again well before. */
const USUAL_WAIT_S = 60;

/**
 * The answer to a request that waits for the provider, by the provider's error: 429 `rate_limited` at its quota of calls, 502
 * `provider_unavailable` when it did not answer or failed itself, else 422 `provider_rejected`. `failed`: public text, what was not
 * done.
 */
export function providerProblem(error: ProviderError, failed: string): Problem {
  const { provider } = error;
  const because = provider === null ? {} : { provider };
  const text = `${failed}: ${reasonOf(error)}`;
  if (error.code === "rate_limited") {
    const retryAfterSeconds = Math.max(1, Math.ceil((error.retryAfterMs ?? USUAL_WAIT_S * 1_000) / 1_000));
    return new Problem("rate_limited", text, { ...because, retryAfterSeconds });
  }
  const isPassing = PASSING.has(error.class) || (error.httpStatus ?? 0) >= 500;
  if (isPassing || provider === null) return new Problem("provider_unavailable", text, because);
  return new Problem("provider_rejected", text, { provider });
}
