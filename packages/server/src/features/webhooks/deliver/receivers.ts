import type { App } from "../../../ctx.ts";
import { formatId } from "../../../lib/ids.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { proxyOf } from "../../../lib/safe-fetch/proxy.ts";
import { SafeFetch, type SafeResult } from "../../../lib/safe-fetch/safe-fetch.ts";
import { egressPolicy } from "../../../lib/safe-fetch/target.ts";
import { type AttemptHeaders, requestHeaders } from "./request-headers.ts";
import { sign, signAsProvider } from "./signature.ts";
import type { Signer } from "./signing-secrets.ts";

export type ReceiversOptions = {
  /** Sent as `User-Agent: Waypost/<version>`. */
  version: string;
  /** Replaces the HTTP client, for tests. */
  fetch?: SafeFetch;
};

/** Uuids, the body and when it is signed (milliseconds). */
export type Attempt = Omit<AttemptHeaders, "version"> & {
  endpointId: string;
  eventId: string;
  signer: Signer;
  body: Buffer;
  startedAt: number;
  signal: AbortSignal;
};

/** Posts to endpoints, signed: behind the egress guard, and through the outgoing proxy where there is one. */
export class Receivers {
  readonly #version: string;
  readonly #fetch: SafeFetch;
  readonly #quiet: QuietLog;

  constructor({ config, clock, log }: Pick<App, "config" | "clock" | "log">, { version, fetch }: ReceiversOptions) {
    this.#version = version;
    const policy = egressPolicy(config.EGRESS_ALLOW_CIDRS, config.EGRESS_ALLOW_PORTS);
    this.#fetch = fetch ?? new SafeFetch({ policy, clock, proxy: proxyOf(config.EGRESS_PROXY_URL, clock) });
    this.#quiet = new QuietLog(log, clock);
  }

  /**
   * What came of an attempt. Null where that says nothing of the receiver, so that it burns no attempt: a graceful stop ended it, and the
   * lane's next owner makes the same one; or the outgoing proxy failed, and it is made again in a moment.
   */
  async post({ endpointId, eventId, signer, body, startedAt, signal, ...about }: Attempt): Promise<SafeResult | null> {
    const result = await this.#fetch.post({
      owner: endpointId,
      url: signer.url,
      totalMs: signer.timeoutMs,
      headers: {
        ...signer.headers,
        ...requestHeaders({ version: this.#version, ...about }),
        ...sign(formatId("evt", eventId), startedAt, body, signer.secrets),
        ...(signer.fields === null ? {} : signAsProvider(startedAt, body, signer.secrets)),
      },
      body,
      signal,
    });
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
