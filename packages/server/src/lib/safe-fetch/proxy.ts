import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { isIPv6 } from "node:net";
import type { Clock } from "../clock.ts";

/** The proxy failed, and not the server behind it: it cannot be reached, does not know us, or does not speak HTTP. */
export class ProxyFault extends Error {
  override readonly name = "ProxyFault";
}

/** The proxy answered that it could not reach the server, or may not. */
export class NotReached extends Error {
  override readonly name = "NotReached";
  readonly isForbidden: boolean;

  constructor(text: string, isForbidden: boolean) {
    super(text);
    this.isForbidden = isForbidden;
  }
}

/** After a fault of the proxy nothing is asked of it for so long: thousands of deliveries would each open a socket. */
const REST_MS = 2_000;
/** What a proxy says of a server that it cannot reach (RFC 9110, 15.6). */
const NOT_REACHED = new Set([502, 503, 504]);
const MOST_HEADER_BYTES = 16 * 1024;

/** An HTTP proxy that opens connections for us (RFC 9110, 9.3.6). Its address and password are in no error. */
export class Proxy {
  readonly #url: URL;
  readonly #clock: Clock;
  readonly #authorization: string | null;
  #restsUntil = Number.NEGATIVE_INFINITY;

  /** `url`: http or https, with or without user and password. */
  constructor(url: string, clock: Clock) {
    this.#url = new URL(url);
    this.#clock = clock;
    const { username, password } = this.#url;
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#authorization = username === "" ? null : `Basic ${Buffer.from(user).toString("base64")}`;
  }

  /**
   * A connection through the proxy to this address, which the caller has vetted: the proxy resolves nothing. Rejects with `ProxyFault`,
   * with `NotReached`, or with the signal's reason.
   */
  async connect(address: string, port: number, signal: AbortSignal): Promise<Socket> {
    if (this.#clock.monotonic() < this.#restsUntil) throw new ProxyFault("The outgoing proxy failed a moment ago.");
    try {
      return await this.#open(`${isIPv6(address) ? `[${address}]` : address}:${port}`, signal);
    } catch (error) {
      if (error instanceof ProxyFault) this.#restsUntil = this.#clock.monotonic() + REST_MS;
      throw error;
    }
  }

  #open(authority: string, signal: AbortSignal): Promise<Socket> {
    const { protocol, hostname, port } = this.#url;
    const send = protocol === "https:" ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      let isConnected = false;
      const request = send({
        host: hostname.replace(/^\[|\]$/g, ""),
        port: port === "" ? undefined : port,
        method: "CONNECT",
        path: authority,
        headers: {
          host: authority,
          ...(this.#authorization === null ? {} : { "proxy-authorization": this.#authorization }),
        },
        agent: false,
        maxHeaderSize: MOST_HEADER_BYTES,
        signal,
      });
      request.once("socket", (socket) =>
        socket.once(protocol === "https:" ? "secureConnect" : "connect", () => (isConnected = true)),
      );
      request.once("connect", ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
        if (statusCode >= 200 && statusCode <= 299 && head.length === 0) return resolve(socket);
        socket.destroy();
        reject(refusalOf(statusCode));
      });
      request.once("error", () => {
        // A proxy that was reached and says nothing waits for the server: its silence is the server's.
        if (signal.aborted && isConnected) reject(signal.reason);
        else reject(new ProxyFault("The outgoing proxy cannot be reached."));
      });
      request.end();
    });
  }
}

function refusalOf(status: number): Error {
  if (NOT_REACHED.has(status)) return new NotReached(`The outgoing proxy could not connect (HTTP ${status}).`, false);
  if (status === 403) return new NotReached("The outgoing proxy does not permit this target.", true);
  return new ProxyFault(`The outgoing proxy refused to connect (HTTP ${status}).`);
}

/** The proxy of a configuration (EGRESS_PROXY_URL), if it has one. */
export const proxyOf = (url: string | null, clock: Clock): Proxy | undefined =>
  url === null ? undefined : new Proxy(url, clock);
