import type { App } from "../../ctx.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { CallbackChange } from "../../provider/provider.ts";
import { noticeDigest } from "../accounts/notice-digest.ts";
import { hintCommitted } from "../events/event.ts";
import { type NumberOfEvent, ofPerson } from "../messages/callbacks/taken-row.ts";
import { takeCalls } from "./call.store.ts";

type Call = Extract<CallbackChange, { kind: "call" }>;
/** How the provider calls the event with which a call begins. */
const CONNECT = "connect";

/**
 * Takes what a callback says of a call, in one transaction; safe to repeat. Rejects with `NUMBER_MOVED` when another workspace has
 * connected the number since.
 */
export async function takeCall(
  { db, clock, notifier }: App,
  number: NumberOfEvent,
  { change, callbackId }: { change: Call; callbackId: string },
): Promise<void> {
  const now = clock.now();
  const { id, event, status } = change.call;
  // What happens to a call happens once, whatever else is said of it.
  const digestOf = (...happened: (string | null | undefined)[]): string =>
    noticeDigest(["call", number.phoneNumberId, id, ...happened.map((one) => one ?? null)]).toString("hex");
  const row = {
    ...ofPerson(number, { ...change, previous: null }, now),
    // A provider's clock that is ahead must not keep a window open longer than a day from now.
    called_at: change.calledAt === null ? undefined : isoTime(Math.min(change.calledAt, now)),
    digest: event === undefined ? digestOf(null, status) : digestOf(event, null),
    beginning: digestOf(CONNECT, null),
    call: change.call,
    callback_id: callbackId,
  };
  hintCommitted(notifier, await db.call(takeCalls, [row], now));
}
