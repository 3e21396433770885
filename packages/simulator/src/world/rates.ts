/** Arrivals squeezed together on their way must not count against a sender that paces exactly. */
const THROUGHPUT_TOLERANCE = 0.1;
const THROUGHPUT_EXTRA = 2;
const WINDOW_MS = 1000;

/** One message to one person each 6 s; a burst of 45 borrows the quota of the time to come (provider reference 6.3). */
const PAIR_INTERVAL_MS = 6000;
const PAIR_BURST = 45;

/** Counts accepted sends of a number over any window of 1 s, in constant time and memory. */
export class ThroughputWindow {
  readonly #times: Float64Array;
  #next = 0;

  constructor(messagesPerSecond: number) {
    const allowed = Math.ceil(messagesPerSecond * (1 + THROUGHPUT_TOLERANCE)) + THROUGHPUT_EXTRA;
    this.#times = new Float64Array(allowed).fill(Number.NEGATIVE_INFINITY);
  }

  /** Whether one more at `nowMs` stays within the limit. */
  allows(nowMs: number): boolean {
    return nowMs - (this.#times[this.#next] ?? 0) >= WINDOW_MS;
  }

  record(nowMs: number): void {
    this.#times[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#times.length;
  }
}

/** Whether a pair whose debt is paid at `paidAtMs` may send once more at `nowMs`. */
export function pairAllows(paidAtMs: number, nowMs: number): boolean {
  return paidAtMs - nowMs <= (PAIR_BURST - 1) * PAIR_INTERVAL_MS;
}

/** When the pair's debt is paid after one more message at `nowMs`. */
export function pairDebtAfter(paidAtMs: number, nowMs: number): number {
  return Math.max(paidAtMs, nowMs) + PAIR_INTERVAL_MS;
}
