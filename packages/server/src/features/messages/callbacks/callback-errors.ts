import { isStandstill } from "../../../db/batched.ts";
import { LockHeld } from "../../../db/database.ts";
import { refusedBy, sqlState } from "../../../lib/error-fields.ts";
import { NUMBER_MOVED } from "../../accounts/numbers/number.sql.ts";

/** Tables whose columns are filled from a callback: when one of their constraints refuses a row, the callback is the cause. */
const FILLED_TABLES = new Set([
  "contact",
  "conversation",
  "message",
  "message_state",
  "history",
  "provider_message",
  "parked_status",
  "parked_payment",
]);

/**
 * Whether the content of the callback caused the error, so that an early retry changes nothing: values that the database
 * refuses (22xxx), constraints of the tables that it fills (23xxx), and errors of our own code that are no database errors.
 */
export function isCausedByContent(error: unknown): boolean {
  const state = sqlState(error);
  if (state === null) return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  if (state.startsWith("22")) return true;
  if (!state.startsWith("23")) return false;
  const { table, constraint } = refusedBy(error);
  // Without a constraint it is a row that belongs to no partition (23514), which is our own fault.
  return constraint !== null && table !== null && FILLED_TABLES.has(table);
}

/** The number belongs to another workspace by now, or to none: nothing was done, and the caller asks whose it is. */
export const hasMoved = (error: unknown): boolean => sqlState(error) === NUMBER_MOVED;

/** Failures that the next callbacks will most likely meet too: a table that accepts no row, a full disk. */
export const isShared = (error: unknown): boolean =>
  !isStandstill(error) && !(error instanceof LockHeld) && !hasMoved(error) && !isCausedByContent(error);
