import { createHash } from "node:crypto";
import type { App } from "../../../ctx.ts";
import { timeOfUuid } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { CallbackChange } from "../../../provider/provider.ts";
import { hintCommitted } from "../../events/event.ts";
import { openCorrelationToken } from "../correlation-token.ts";
import { joinPayments, PAYMENTS_A_LOOK, takePayments } from "./payments.store.ts";

/** What a callback says of a payment, with the number that it is of. */
export type PaymentEvent = {
  callbackId: string;
  workspaceId: string;
  phoneNumberId: string;
  change: Extract<CallbackChange, { kind: "payment" }>;
};

/** Payments of one call, each of which may be an event for many endpoints. */
const PAYMENTS_A_CALL = 100;
/** Calls of one round of looks. */
const MOST_LOOKS = 20;

/** Takes what callbacks say of payments, in this order; safe to repeat. Rejects with those behind the first call that failed not taken. */
export async function takeAllPayments(app: App, events: readonly PaymentEvent[]): Promise<void> {
  const { db, clock, notifier } = app;
  for (let at = 0; at < events.length; at += PAYMENTS_A_CALL) {
    const rows = events.slice(at, at + PAYMENTS_A_CALL).map((event) => paymentRow(app, event));
    hintCommitted(notifier, await db.call(takePayments, rows, clock.now()));
  }
}

function paymentRow({ secrets }: App, { callbackId, workspaceId, phoneNumberId, change }: PaymentEvent) {
  const { reference, status } = change;
  return {
    workspace_id: workspaceId,
    phone_number_id: phoneNumberId,
    message_id: openCorrelationToken(secrets, change.correlationToken)?.messageId,
    provider_message_id: change.providerMessageId,
    digest: createHash("sha256")
      .update(JSON.stringify([reference, status]))
      .digest("hex"),
    reference: reference ?? undefined,
    status,
    at: isoTime(change.at ?? timeOfUuid(callbackId)),
    callback_id: callbackId,
  };
}

/** Reports payments that came before their message was known. */
export async function joinParkedPayments({ db, clock, notifier }: App): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    const answers = await db.call(joinPayments, [{ up_to: isoTime(clock.now()) }], clock.now());
    hintCommitted(notifier, answers);
    if ((answers[0]?.looked ?? 0) < PAYMENTS_A_LOOK) return;
  }
}
