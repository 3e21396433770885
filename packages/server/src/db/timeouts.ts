/** Timeouts of statements, with one timer for all: a timer for each statement costs more than the rest of the statement. */
export class Timeouts {
  readonly #timeouts = new Set<Timeout>();
  #timer: NodeJS.Timeout | null = null;

  /** Calls `expired` after `ms`, up to a tick later; the returned function cancels it. */
  begin(ms: number, expired: () => void): () => void {
    const timeout = { by: performance.now() + ms, expired };
    this.#timeouts.add(timeout);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    return () => void this.#timeouts.delete(timeout);
  }

  #tick(): void {
    if (this.#timeouts.size === 0) return this.close();
    const now = performance.now();
    const over = [...this.#timeouts].filter(({ by }) => by <= now);
    if (over.length === 0) return;
    // After the sockets have been read: a process that was stopped for a while finds the answer and its timeout at once, and in
    // a turn of the event loop timers come before sockets.
    setImmediate(() => {
      for (const timeout of over) if (this.#timeouts.delete(timeout)) timeout.expired();
    });
  }

  /** Shortens the running timeouts to at most `ms` from now. */
  shorten(ms: number): void {
    const by = performance.now() + ms;
    for (const timeout of this.#timeouts) timeout.by = Math.min(timeout.by, by);
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}

type Timeout = { by: number; expired: () => void };

const TICK_MS = 100;
