import { LRUCache } from "lru-cache";
import type { Clock } from "../../../lib/clock.ts";
import type { HandedDelivery } from "../../events/handed-event.ts";

/**
 * How long an endpoint is as it was when the event was written. A delivery that starts later looks again: its address, its secret or its
 * state may have changed, or the contact may have been erased. Some calls of the database take as long from their look to the socket.
 */
const TRUE_FOR_MS = 100;
/** Deliveries that wait for their start, some hundred bytes each; the others are looked up. */
const MOST = 5_000;

/** The endpoint of a delivery, as the call saw it that wrote its event. */
type Endpoint = HandedDelivery["endpoint"];

/** What is known of deliveries from the calls that have committed them. */
export class HandedDeliveries {
  readonly #clock: Clock;
  readonly #endpoints = new LRUCache<string, Endpoint & { begunAt: number }>({ max: MOST });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `begunAt`: when the call began, of the monotonic clock. */
  keep(deliveryId: string, { endpoint_id, version }: Endpoint, begunAt: number): void {
    this.#endpoints.set(deliveryId, { endpoint_id, version, begunAt });
  }

  /** Once for each delivery; null where it must be looked up. */
  take(deliveryId: string): Endpoint | null {
    const found = this.#endpoints.peek(deliveryId);
    if (!found) return null;
    this.#endpoints.delete(deliveryId);
    return this.#clock.monotonic() - found.begunAt <= TRUE_FOR_MS ? found : null;
  }
}
