import { Problem } from "../../problem.ts";
import type { RequestState } from "../state.ts";
import { type PlaceLimits, Places } from "./places.ts";

/**
 * Transactions of requests: with the pages of four streams of rows and the reader of the feed, one of the sixteen connections
 * (`db/pools.ts`) is left to lanes and sends whatever is asked.
 */
const TRANSACTIONS: PlaceLimits = { places: 10, placesOfOne: 6, waitMs: 5_000, mostWaiting: 200 };
/**
 * Requests that may look through very many rows, and then keep a core of the database busy for as long as they may take: one of a
 * workspace at a time, so that most cores are left to others.
 */
const SEARCHES: PlaceLimits = { places: 4, placesOfOne: 1, waitMs: 5_000, mostWaiting: 100 };

export type TurnLimits = { transactions: PlaceLimits; searches: PlaceLimits };

/** The turns of requests at the database. */
export class DatabaseTurns {
  readonly #transactions: Places;
  readonly #searches: Places;

  constructor(
    database: { readonly isAnswering: boolean },
    { transactions, searches }: TurnLimits = { transactions: TRANSACTIONS, searches: SEARCHES },
  ) {
    const isAnswering = (): boolean => database.isAnswering;
    this.#transactions = new Places(transactions, isAnswering);
    this.#searches = new Places(searches, isAnswering);
  }

  /**
   * Runs the work of a request when it is its turn; not for a caller that has gone while it waited. `searches`: as a row declares it.
   */
  async run<T>(
    { searches }: { searches?: boolean },
    { workspaceId, response }: RequestState,
    work: () => Promise<T>,
  ): Promise<T> {
    const endSearch = searches === true ? await this.#searches.take(workspaceId) : null;
    try {
      const end = await this.#transactions.take(workspaceId);
      try {
        if (response.destroyed) throw new Problem("unavailable", "The caller has gone; nothing was done.");
        return await work();
      } finally {
        end();
      }
    } finally {
      endSearch?.();
    }
  }
}
