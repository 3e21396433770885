import { isStandstill } from "../../db/batched.ts";
import { LockHeld } from "../../db/database.ts";
import { jittered } from "../../lib/backoff.ts";
import { sqlState } from "../../lib/error-fields.ts";

/** Tables whose columns a callback fills: what their constraints refuse lies in the callback itself. */
const OWN_TABLES = new Set([
  "contact",
  "conversation",
  "message",
  "message_state",
  "history",
  "provider_message",
  "parked_status",
]);

/**
 * Whether the error lies in what the callback says, so that trying again soon changes nothing: data that the database refuses
 * (22xxx), constraints of the tables that it fills (23xxx), and whatever our own code stumbles over.
 */
export function isOfItsOwn(error: unknown): boolean {
  const state = sqlState(error);
  if (state === null) return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  if (state.startsWith("22")) return true;
  if (!state.startsWith("23")) return false;
  const { table, constraint } = placeOf(error);
  // Without a constraint it is a row that no partition takes (23514): ours to mend.
  return constraint !== null && table !== null && OWN_TABLES.has(table);
}

/** Failures that the next callback will most likely meet too: a table that takes nothing, a disk that is full. */
export const isShared = (error: unknown): boolean =>
  !isStandstill(error) && !(error instanceof LockHeld) && !isOfItsOwn(error);

/** For people: what refused it, never what was refused. */
export function detailOf(error: unknown): string {
  const state = sqlState(error);
  if (state === null) return error instanceof Error ? error.name : "unknown";
  const { table, constraint } = placeOf(error);
  return [state, table, constraint].filter((part) => part !== null).join(" ");
}

/** A partition goes by the name of its table. */
function placeOf(error: unknown): { table: string | null; constraint: string | null } {
  const field = (name: "table" | "constraint"): string | null => {
    const value = typeof error === "object" && error !== null ? (error as Record<string, unknown>)[name] : null;
    return typeof value === "string" ? value.replace(/_\d{6,8}$/, "") : null;
  };
  return { table: field("table"), constraint: field("constraint") };
}

const FIRST_PAUSE_MS = 1_000;
/** A trouble that ends within ten minutes is over everywhere within a minute: no pause is longer before. */
const SOON_MS = 30_000;
/** So many pauses make up the first ten minutes: 1, 2, 4, 8, 16 s and then half minutes. */
const SOON_TRIES = 24;
const MOST_MS = 60 * 60_000;
/** What failed together does not come back together. */
const SPREAD = 0.2;

/** Milliseconds until a callback that failed for no fault of its own is tried again; it is never given up. `random` gives 0 to 1. */
export function pauseAfter(attempt: number, random: () => number): number {
  const soon = Math.min(SOON_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 16));
  const late = SOON_MS * 2 ** Math.min(16, Math.max(0, attempt - SOON_TRIES));
  return jittered(Math.min(MOST_MS, attempt < SOON_TRIES ? soon : late), SPREAD, random);
}
