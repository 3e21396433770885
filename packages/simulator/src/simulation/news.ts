import type { InboundEntry } from "../world/received.ts";
import type { SentEntry } from "../world/sent.ts";

/** What changed: a message, anything else that there is (`world`), or so much that all must be read again (`all`). */
export type Change =
  | { kind: "sent"; entry: SentEntry }
  | { kind: "inbound"; entry: InboundEntry }
  | { kind: "world" | "all" };

/** Reports changes to the pages that are open. Without one a change costs a look at an empty set. */
export class News {
  readonly #readers = new Set<(change: Change) => void>();

  report(change: Change): void {
    for (const read of this.#readers) read(change);
  }

  /** Calls `read` with each change until the returned function is called. */
  follow(read: (change: Change) => void): () => void {
    this.#readers.add(read);
    return () => this.#readers.delete(read);
  }
}
