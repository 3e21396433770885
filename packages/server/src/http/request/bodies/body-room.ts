import { Problem } from "../../problem.ts";

/** Bytes of a JSON body or a callback while the process holds them. */
export type HeldBody = {
  /** Set by its room. */
  heldBytes: number;
  /** Ends its arrival with this refusal; nothing of it is held from then on. */
  refuse(problem: Problem): void;
};

/** Bounds the bytes of bodies in the memory of a process. What came whole with its headers is in none. */
export type BodyRoom = {
  /** So many more bytes of the body are here; refuses it, or another, where that is too much. */
  add(body: HeldBody, bytes: number): void;
  /** All of the body is here. */
  whole(body: HeldBody): void;
  /** Nothing of the body is held any more; a second call does nothing. */
  leave(body: HeldBody): void;
};

/**
 * Five callbacks of the largest size that are still arriving: the provider's usual ones have a few KiB and come at once. What was
 * refused is garbage for a moment: 400 bodies of 3 MiB at once took four times as much (measured at 32 MiB: 110 MB).
 */
const MOST_UNVERIFIED_BYTES = 16 * 1024 * 1024;
/** Eight batches of the largest size for one workspace alone, and as many for all others. */
const MOST_KEYED_BYTES = 64 * 1024 * 1024;
const AGAIN_SECONDS = 1;

/**
 * Bodies that have to be here before it is known who sent them. Without room the one that has been arriving for longest is
 * refused: a sender that leaves out the last bytes loses its own bodies, and one that sends at once keeps the way through. Refusing
 * newcomers would let half-sent bodies keep out the provider for as long as a body may take.
 */
export class UnverifiedRoom implements BodyRoom {
  readonly #most: number;
  /** In the order of their first bytes. */
  readonly #arriving = new Set<HeldBody>();
  #bytes = 0;

  constructor(mostBytes = MOST_UNVERIFIED_BYTES) {
    this.#most = mostBytes;
  }

  add(body: HeldBody, bytes: number): void {
    this.#arriving.add(body);
    body.heldBytes += bytes;
    this.#bytes += bytes;
    for (const oldest of this.#arriving) {
      if (this.#bytes <= this.#most) return;
      this.leave(oldest);
      oldest.refuse(
        new Problem("unavailable", "Too many bodies are arriving, and this one took longest; nothing was done.", {
          retryAfterSeconds: AGAIN_SECONDS,
        }),
      );
    }
  }

  whole(body: HeldBody): void {
    this.leave(body);
  }

  leave(body: HeldBody): void {
    if (!this.#arriving.delete(body)) return;
    this.#bytes -= body.heldBytes;
    body.heldBytes = 0;
  }
}

/**
 * Bodies of key holders, from their first bytes until the answer: parsed, they take several times as much. A workspace may hold as
 * much as is free, so that it leaves others room; what is too much is refused, because earlier bodies are nearly here.
 */
export class KeyedRoom {
  readonly #most: number;
  readonly #workspaceOf = new Map<HeldBody, string>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  constructor(mostBytes = MOST_KEYED_BYTES) {
    this.#most = mostBytes;
  }

  /** The room for bodies of this workspace. */
  of(workspaceId: string): BodyRoom {
    return {
      add: (body, bytes) => this.#add(workspaceId, body, bytes),
      whole: () => undefined,
      leave: (body) => this.#leave(body),
    };
  }

  #add(workspaceId: string, body: HeldBody, bytes: number): void {
    const own = (this.#bytesOf.get(workspaceId) ?? 0) + bytes;
    if (own > this.#most - this.#bytes - bytes) {
      // Alone it has half of all.
      const alone = own * 2 > this.#most;
      this.#leave(body);
      const retry = { retryAfterSeconds: AGAIN_SECONDS };
      return body.refuse(
        alone
          ? new Problem("rate_limited", "This workspace sends too many large bodies at once: wait for answers.", retry)
          : new Problem("unavailable", "Too many large bodies are arriving; nothing was done.", retry),
      );
    }
    body.heldBytes += bytes;
    this.#bytes += bytes;
    this.#workspaceOf.set(body, workspaceId);
    this.#bytesOf.set(workspaceId, own);
  }

  #leave(body: HeldBody): void {
    const workspaceId = this.#workspaceOf.get(body);
    if (workspaceId === undefined) return;
    this.#workspaceOf.delete(body);
    const left = (this.#bytesOf.get(workspaceId) ?? 0) - body.heldBytes;
    if (left > 0) this.#bytesOf.set(workspaceId, left);
    else this.#bytesOf.delete(workspaceId);
    this.#bytes -= body.heldBytes;
    body.heldBytes = 0;
  }
}
