import { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import { buildConnector, Pool } from "undici";
import { atMost } from "../../lib/at-most.ts";
import { takingInterimAnswers } from "../../lib/interim-answers.ts";
import { guardedConnector, nameResolver } from "../../lib/safe-fetch/connect.ts";
import { faultOf } from "../../lib/safe-fetch/fetch-fault.ts";
import type { Proxy } from "../../lib/safe-fetch/proxy.ts";
import { checkUrl, egressPolicy } from "../../lib/safe-fetch/target.ts";
import type { CallResult, ProviderError } from "../call-result.ts";
import { MediaBroken, type MediaContent } from "../media-calls.ts";
import { networkError, plainError, statusRefusal } from "./errors.ts";
import { tokenFault } from "./graph.ts";

/**
 * Domains of the hosts at which the provider keeps files (Cloud API documentation, media: download; those that its answers have named).
 * The account's token goes with each request, and nowhere else than there.
 */
const DOMAINS = ["fbsbx.com", "fbcdn.net", "facebook.com", "whatsapp.net"];
const CONNECT_MS = 5_000;
const MOST_HEADER_BYTES = 16 * 1024;
/** Until the answer begins, and between two pieces of it: a host that says nothing for so long is not waited for. */
const SILENCE_MS = 15_000;
/** For the whole of a file: so many silences, and what it takes at 170 KB a second. A host that drips keeps a connection no longer. */
const WHOLE_SILENCES = 4;
const SLOWEST_BYTES_PER_MS = 170;
/** Of an answer that does not say its length: 100 MB. */
const MOST_BYTES = 100 * 1024 * 1024;
const CONNECTIONS = 64;
/** Of one name there are some dozens at the provider. */
const MOST_ORIGINS = 50;

export type MediaHostOptions = {
  /** Of the API itself: the simulator has its files there. */
  apiOrigin: string;
  /** Through which the other hosts are reached. */
  proxy: Proxy | undefined;
  /** At most; what the calls of the API have. */
  silenceMs: number;
};

/** Reads files from where the provider keeps them. Follows no redirect: the next host would get the token. */
export class MediaHost {
  readonly #apiOrigin: string;
  readonly #proxy: Proxy | undefined;
  readonly #silenceMs: number;
  readonly #policy = egressPolicy([], []);
  readonly #resolve = nameResolver(false);
  readonly #pools = new LRUCache<string, Pool>({
    ...atMost(MOST_ORIGINS),
    dispose: (pool) => void pool.close().catch(() => {}), // what it reads goes on
  });

  constructor({ apiOrigin, proxy, silenceMs }: MediaHostOptions) {
    this.#apiOrigin = apiOrigin;
    this.#proxy = proxy;
    this.#silenceMs = Math.min(silenceMs, SILENCE_MS);
  }

  async open(address: string, accessToken: string, signal?: AbortSignal): Promise<CallResult<MediaContent>> {
    const fault = tokenFault(accessToken);
    if (fault !== null) return { ok: false, error: fault };
    const url = this.#ownUrl(address);
    if (url === null)
      return failed(
        plainError("transient", "provider_error", { detail: "The file's address is none of the provider's." }),
      );
    const watch = new Watch(this.#silenceMs, signal);
    try {
      const headers = {
        authorization: `Bearer ${accessToken}`,
        "accept-encoding": "identity",
        "user-agent": "Waypost",
      };
      watch.listen();
      const path = `${url.pathname}${url.search}`;
      const answer = await this.#poolOf(url).request({ method: "GET", path, headers, signal: watch.signal });
      watch.rest();
      const { statusCode, body } = answer;
      if (statusCode === 200) {
        const length = Number(answer.headers["content-length"]);
        const bytes = Number.isSafeInteger(length) ? length : null;
        watch.expect(Math.min(bytes ?? MOST_BYTES, MOST_BYTES));
        return { ok: true, value: { bytes, content: watched(body, watch) } };
      }
      // Its socket ends with the rest of an answer that is not wanted.
      body.on("error", () => {});
      body.destroy();
      watch.end();
      const detail = `HTTP ${statusCode} instead of the file`;
      // An address that has ended is asked for again; only the API says that a file is gone.
      const refusal = statusCode === 404 ? null : statusRefusal(statusCode);
      return failed(refusal === null ? networkError(true, statusCode, detail) : { ...refusal, detail });
    } catch (error) {
      watch.end();
      return failed(networkError(true, null, watch.why() ?? faultOf(error).detail));
    }
  }

  /** The address, where the token may go there. */
  #ownUrl(address: string): URL | null {
    if (!URL.canParse(address)) return null;
    const url = new URL(address);
    if (url.origin === this.#apiOrigin) return url;
    try {
      checkUrl(address, this.#policy);
    } catch {
      return null;
    }
    const isProviders = DOMAINS.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`));
    return isProviders ? url : null;
  }

  #poolOf({ origin }: URL): Pool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const guard = { policy: this.#policy, insideOnly: false, resolve: this.#resolve, proxy: this.#proxy };
    const pool = new Pool(origin, {
      connections: CONNECTIONS,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MOST_HEADER_BYTES,
      // Where the API is was the operator's choice.
      connect:
        origin === this.#apiOrigin
          ? takingInterimAnswers(buildConnector({ timeout: CONNECT_MS }))
          : guardedConnector({ ...guard, timeoutMs: CONNECT_MS }),
    });
    this.#pools.set(origin, pool);
    return pool;
  }

  /** Ends the sockets; what is being read breaks off. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }
}

const failed = (error: ProviderError) => ({ ok: false, error }) as const;

/** The time that a host has: as long as we listen it must not be silent, and the whole has an end. */
class Watch {
  readonly signal: AbortSignal;
  readonly #silenceMs: number;
  readonly #late = new AbortController();
  #whole: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #why: string | null = null;

  constructor(silenceMs: number, stop: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.signal = stop === undefined ? this.#late.signal : AbortSignal.any([this.#late.signal, stop]);
  }

  /** From now on so many bytes come, and no more slowly than a host may be. */
  expect(bytes: number): void {
    const withinMs = WHOLE_SILENCES * this.#silenceMs + Math.ceil(bytes / SLOWEST_BYTES_PER_MS);
    this.#whole = setTimeout(() => this.#giveUp("The file came too slowly."), withinMs);
  }

  listen(): void {
    this.#silence = setTimeout(
      () => this.#giveUp(`Where the file is kept, nothing was said for ${this.#silenceMs / 1_000} s.`),
      this.#silenceMs,
    );
  }

  /** We are busy ourselves: the host is not slow. */
  rest(): void {
    clearTimeout(this.#silence);
  }

  end(): void {
    this.rest();
    clearTimeout(this.#whole);
  }

  /** Why the host was given up; null where it was not. */
  why(): string | null {
    return this.#why;
  }

  #giveUp(why: string): void {
    this.#why = why;
    this.#late.abort();
  }
}

type Body = AsyncIterable<Buffer> & { destroy(): unknown; on(event: "error", listener: () => void): unknown };

function watched(body: Body, watch: Watch): Readable {
  body.on("error", () => {}); // its reader gets it
  const content = Readable.from(piecesOf(body, watch), { objectMode: false });
  content.on("error", () => {}); // the same
  // Before its first piece is asked for, nothing else ends the socket.
  return content.once("close", () => {
    watch.end();
    body.destroy();
  });
}

async function* piecesOf(body: Body, watch: Watch): AsyncGenerator<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      watch.listen();
      const next = await pieces.next();
      watch.rest();
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw new MediaBroken(watch.why() ?? faultOf(error).detail, { cause: error });
  }
}
