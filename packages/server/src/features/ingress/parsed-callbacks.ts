import { LRUCache } from "lru-cache";
import type { App } from "../../ctx.ts";
import { maxAge } from "../../lib/max-age.ts";
import type { ParsedCallback, Provider } from "../../provider/provider.ts";

/** Raw bytes of the callbacks kept; parsed they take some four times as much. */
const MOST_BYTES = 2 * 1024 * 1024;
/** A lane of this process comes to it within milliseconds. Later the row may be a replay, whose bytes may have been erased since. */
const KEPT_MS = 5_000;

/**
 * Callbacks that were parsed when they came and then went into the queue, for the lane of this process. Where another process owns the
 * lane they are not asked for.
 */
export class ParsedCallbacks {
  readonly #provider: Pick<Provider, "parseCallback">;
  readonly #kept: LRUCache<string, { parsed: ParsedCallback; bytes: number }>;

  constructor({ provider, clock }: Pick<App, "provider" | "clock">) {
    this.#provider = provider;
    this.#kept = new LRUCache({
      maxSize: MOST_BYTES,
      sizeCalculation: ({ bytes }) => Math.max(1, bytes),
      ...maxAge(KEPT_MS, () => clock.monotonic()),
    });
  }

  /** Parses a callback that has just come; null where that fails, which the queue meets again and keeps. */
  parse(body: Buffer): ParsedCallback | null {
    try {
      return this.#provider.parseCallback(body);
    } catch {
      return null;
    }
  }

  /** For the queue, which has the callback from now on. */
  keep(id: string, parsed: ParsedCallback, body: Buffer): void {
    this.#kept.set(id, { parsed, bytes: body.length });
  }

  /** What was kept of a callback, once: its changes are noted in what is made of it. */
  take(id: string): ParsedCallback | null {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    return kept?.parsed ?? null;
  }
}
