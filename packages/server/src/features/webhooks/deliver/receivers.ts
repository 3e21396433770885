import type { App } from "../../../ctx.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { proxyOf } from "../../../lib/safe-fetch/proxy.ts";
import { SafeFetch, type SafeResult } from "../../../lib/safe-fetch/safe-fetch.ts";
import { egressPolicy } from "../../../lib/safe-fetch/target.ts";

/** Posts to endpoints: behind the egress guard, and through the outgoing proxy where there is one. */
export class Receivers {
  readonly #fetch: SafeFetch;
  readonly #quiet: QuietLog;

  /** `fetch` replaces the HTTP client, for tests. */
  constructor({ config, clock, log }: Pick<App, "config" | "clock" | "log">, fetch?: SafeFetch) {
    const policy = egressPolicy(config.EGRESS_ALLOW_CIDRS, config.EGRESS_ALLOW_PORTS);
    this.#fetch = fetch ?? new SafeFetch({ policy, clock, proxy: proxyOf(config.EGRESS_PROXY_URL, clock) });
    this.#quiet = new QuietLog(log, clock);
  }

  /**
   * What came of an attempt. Null where that says nothing of the receiver, so that it burns no attempt: a graceful stop ended it, and the
   * lane's next owner makes the same one; or the outgoing proxy failed, and it is made again in a moment.
   */
  async post(request: Parameters<SafeFetch["post"]>[0]): Promise<SafeResult | null> {
    const result = await this.#fetch.post(request);
    if (result.kind !== "error") return result;
    if (result.fault === "proxy")
      this.#quiet.warn("proxy", { detail: result.detail }, "the outgoing proxy failed; deliveries wait for it");
    return result.fault === "aborted" || result.fault === "proxy" ? null : result;
  }

  /** Closes the sockets. */
  async close(): Promise<void> {
    await this.#fetch.close();
  }
}
