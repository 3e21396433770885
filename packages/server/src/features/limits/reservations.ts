import type { App } from "../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../db/batched.ts";
import { markPortfoliosFull } from "./limit.store.ts";
import { type ReserveRow, reserveRecipients } from "./reserve.store.ts";

/**
 * After the provider's own refusal for the limit no new person is written to for this long: when a person leaves whom it counts and
 * we do not is not known, and each try is a refused request.
 */
const FULL_MS = 60 * 60_000;
/** A message that finds no room asks again after this long, even if no person leaves: people may be given back, or the limit raised. */
const LONGEST_WAIT_MS = 15 * 60_000;
/** People leave by the minute. */
const SHORTEST_WAIT_MS = 1_000;

/** Counts the people to whom messages are sent in the messaging limits of their senders' portfolios, before they are sent. */
export class Reservations {
  readonly #app: App;
  readonly #calls: CallsOf<typeof reserveRecipients>;

  constructor(app: App) {
    const { db, clock } = app;
    this.#app = app;
    this.#calls = new BatchedCalls({ db, clock, fn: reserveRecipients, group: (row) => row.portfolio });
  }

  /** Null when the person is counted; else the milliseconds after which to ask again. Rejects when the database is away. */
  async waitFor(row: ReserveRow): Promise<number | null> {
    const { outcome, room_at } = await this.#calls.submit(row);
    if (outcome === "counted") return null;
    const wait = Math.max(SHORTEST_WAIT_MS, (room_at?.getTime() ?? 0) - this.#app.clock.now());
    // Spread, so that thousands that wait do not ask in one moment.
    return Math.min(LONGEST_WAIT_MS, wait) * (1 + this.#app.random() / 4);
  }

  /** The provider refused a message of the portfolio for its limit; resolves with the milliseconds for which it counts as full. Never rejects. */
  async refused(portfolio: string): Promise<number> {
    const { db, clock, log } = this.#app;
    const now = clock.now();
    try {
      await db.call(markPortfoliosFull, [{ portfolio, until: new Date(now + FULL_MS).toISOString() }], now);
    } catch (error) {
      log.warn({ err: error }, "a full messaging limit could not be noted; the next refusal notes it");
    }
    return FULL_MS;
  }

  /** Resolves when nothing is being counted. */
  drained(): Promise<void> {
    return this.#calls.drained();
  }
}
