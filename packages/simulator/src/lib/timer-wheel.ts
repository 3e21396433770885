/** Statuses are due to 10 ms: fine against delays of 150 ms and more, and what falls into one tick shares a callback. */
const TICK_MS = 10;
/** One turn is about 10 s, longer than the usual path to `read`: few entries are looked at twice. */
const SLOTS = 1024;

type Entry<T> = { tick: number; item: T };

/**
 * Hands over items when their delay has passed, in order of due time and then of arrival, many in one call.
 * A timer per status would cost more than the send itself at thousands a second.
 */
export class TimerWheel<T> {
  readonly #slots: Entry<T>[][] = Array.from({ length: SLOTS }, () => []);
  readonly #onDue: (items: T[]) => void;
  #cursor = 0;
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onDue: (items: T[]) => void) {
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#size;
  }

  add(delayMs: number, item: T): void {
    if (this.#size === 0) this.#cursor = tickNow();
    const tick = Math.max(this.#cursor + 1, Math.ceil((performance.now() + delayMs) / TICK_MS));
    this.#slots[tick % SLOTS]?.push({ tick, item });
    this.#size += 1;
    this.#timer ??= setTimeout(() => this.#turn(), TICK_MS);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const slot of this.#slots) slot.length = 0;
    this.#size = 0;
  }

  #turn(): void {
    const now = tickNow();
    const due: T[] = [];
    for (let tick = this.#cursor + 1; tick <= now; tick += 1) this.#collect(tick, due);
    this.#cursor = Math.max(this.#cursor, now);
    this.#size -= due.length;
    this.#timer = this.#size > 0 ? setTimeout(() => this.#turn(), TICK_MS) : undefined;
    if (due.length > 0) this.#onDue(due);
  }

  #collect(tick: number, due: T[]): void {
    const slot = this.#slots[tick % SLOTS];
    if (slot === undefined || slot.length === 0) return;
    const later = slot.filter((entry) => entry.tick > tick);
    for (const entry of slot) if (entry.tick <= tick) due.push(entry.item);
    slot.length = 0;
    slot.push(...later);
  }
}

function tickNow(): number {
  return Math.floor(performance.now() / TICK_MS);
}
