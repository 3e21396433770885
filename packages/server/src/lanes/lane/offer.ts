import type { QueueRow } from "../kind.ts";
import type { DeferredRow } from "./deferred-rows.ts";

/**
 * What becomes of an offered row: it may start, it waits here, it is let go (passed-rows.ts), or it must be written back to the table, with this
 * `due` or as one of these rows.
 */
export type Offer =
  | { kind: "go" }
  | { kind: "wait" }
  | { kind: "pass" }
  | { kind: "defer"; due: number }
  | { kind: "return"; rows: DeferredRow[] };

/** What follows a change: the row that starts next, if any, and rows to be written back to the table. */
export type Follows = { rows: QueueRow[]; deferred: DeferredRow[] };

export const GO: Offer = { kind: "go" };
export const WAIT: Offer = { kind: "wait" };
export const PASS: Offer = { kind: "pass" };

/** The rows that an offer sends back to the table. */
export const deferredBy = (offer: Offer, row: QueueRow): DeferredRow[] =>
  offer.kind === "defer" ? [{ row, due: offer.due }] : offer.kind === "return" ? offer.rows : [];
