import { Problem } from "../../problem.ts";

export type PlaceLimits = {
  /** At once in this process. */
  places: number;
  /** Of one workspace. */
  placesOfOne: number;
  /** A request waits for a place for so long. */
  waitMs: number;
  /** Requests of one workspace that may wait. */
  mostWaiting: number;
};

/** `moved`: a place of its workspace was given back while it waited. */
type Waiter = { go(): void; moved: boolean };

const AGAIN_SECONDS = 1;

/**
 * Places of requests at the database, shared between workspaces: what one may have at once is bounded, and the others that wait for a
 * place take turns. A request waits before it has a connection, so that neither lanes nor sends wait for those that requests hold.
 */
export class Places {
  readonly #limits: PlaceLimits;
  /** Taken places, by workspace. */
  readonly #taken = new Map<string, number>();
  /** The first workspace is the next whose turn it is. */
  readonly #waiting = new Map<string, Waiter[]>();
  #free: number;
  readonly #isAnswering: () => boolean;

  /** `isAnswering`: false while the database is silent. */
  constructor(limits: PlaceLimits, isAnswering: () => boolean) {
    this.#limits = limits;
    this.#free = limits.places;
    this.#isAnswering = isAnswering;
  }

  /** Resolves with a function that frees the place; rejects with the refusal when there is none in time. */
  async take(workspaceId: string): Promise<() => void> {
    if (this.#free > 0 && !this.#isSated(workspaceId)) return this.#occupy(workspaceId);
    await this.#turnOf(workspaceId);
    return this.#releaseOf(workspaceId);
  }

  #isSated = (workspaceId: string): boolean => (this.#taken.get(workspaceId) ?? 0) >= this.#limits.placesOfOne;

  #occupy(workspaceId: string): () => void {
    this.#free -= 1;
    this.#taken.set(workspaceId, (this.#taken.get(workspaceId) ?? 0) + 1);
    return this.#releaseOf(workspaceId);
  }

  #releaseOf(workspaceId: string): () => void {
    return () => {
      const left = (this.#taken.get(workspaceId) ?? 0) - 1;
      if (left > 0) this.#taken.set(workspaceId, left);
      else this.#taken.delete(workspaceId);
      this.#free += 1;
      for (const waiter of this.#waiting.get(workspaceId) ?? []) waiter.moved = true;
      this.#next();
    };
  }

  #turnOf(workspaceId: string): Promise<void> {
    const queue = this.#waiting.get(workspaceId) ?? [];
    if (queue.length >= this.#limits.mostWaiting) return Promise.reject(this.#refusalOf(workspaceId, true));
    this.#waiting.set(workspaceId, queue);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#leave(workspaceId, waiter);
        reject(this.#refusalOf(workspaceId, waiter.moved));
      }, this.#limits.waitMs);
      const waiter: Waiter = {
        moved: false,
        go: () => {
          clearTimeout(timer);
          this.#occupy(workspaceId);
          resolve();
        },
      };
      queue.push(waiter);
    });
  }

  #leave(workspaceId: string, waiter: Waiter): void {
    const queue = this.#waiting.get(workspaceId)?.filter((one) => one !== waiter) ?? [];
    if (queue.length > 0) this.#waiting.set(workspaceId, queue);
    else this.#waiting.delete(workspaceId);
  }

  #next(): void {
    for (const [workspaceId, queue] of this.#waiting) {
      if (this.#free === 0) return;
      if (this.#isSated(workspaceId)) continue;
      const [first] = queue;
      if (!first) continue;
      // To the back, where others of it wait.
      this.#waiting.delete(workspaceId);
      if (queue.length > 1) this.#waiting.set(workspaceId, queue.slice(1));
      first.go();
    }
  }

  /**
   * A workspace has asked for too much where its requests are answered, and these are too many. Where none was answered in all that time,
   * the database or their connections may be silent, for which it can do nothing.
   */
  #refusalOf(workspaceId: string, moved: boolean): Problem {
    const retry = { retryAfterSeconds: AGAIN_SECONDS };
    return moved && this.#isAnswering() && this.#isSated(workspaceId)
      ? new Problem("rate_limited", "This workspace asks for too much at once: wait for answers.", retry)
      : new Problem("unavailable", "Too many requests wait for the database; nothing was done.", retry);
  }
}
