import type { App } from "../../ctx.ts";
import { newUuid } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { CallbackChange } from "../../provider/provider.ts";
import { noticeDigest } from "../accounts/notice-digest.ts";
import { namesOf, previousOf } from "../messages/taken-row.ts";
import { hintCommitted } from "../webhooks/event.ts";
import { takeCalls } from "./call.store.ts";

type Call = Extract<CallbackChange, { kind: "call" }>;
/** The number that a call is of, and the portfolio that the user ids of its people are valid in. */
type OfNumber = { workspaceId: string; phoneNumberId: string; userIdScope: string };

/**
 * Takes what a callback says of a call, in one transaction; safe to repeat. Rejects with `NUMBER_MOVED` when another workspace has
 * connected the number since.
 */
export async function takeCall({ db, clock, notifier }: App, number: OfNumber, change: Call): Promise<void> {
  const now = clock.now();
  const { id, event, status } = change.call;
  // What happens to a call happens once, whatever else is said of it.
  const digest = noticeDigest(["call", number.phoneNumberId, id, event ?? null, event === undefined ? status : null]);
  const { call, providerPhoneNumberId: _number, ...person } = change;
  const row = {
    workspace_id: number.workspaceId,
    phone_number_id: number.phoneNumberId,
    new_contact_id: newUuid(now),
    ...namesOf(person, number),
    ...previousOf({ ...person, previous: null }),
    at: isoTime(Math.min(change.at, now)),
    // A provider's clock that is ahead must not keep a window open longer than a day from now.
    called_at: change.calledAt === null ? undefined : isoTime(Math.min(change.calledAt, now)),
    digest: digest.toString("hex"),
    call,
  };
  hintCommitted(notifier, await db.call(takeCalls, [row], now));
}
