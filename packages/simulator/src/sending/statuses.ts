import { drawDelay } from "../lib/random.ts";
import { statusError } from "../protocol/error.ts";
import { contactOf, isNumberHidden } from "../simulation/identity.ts";
import {
  hasOptional,
  messagesDestination,
  metadataOf,
  type Simulation,
  timestampOf,
} from "../simulation/simulation.ts";
import type { Pricing } from "../world/charge.ts";
import type { AcceptedMessage, DueStatus } from "../world/sent.ts";
import type { StatusName } from "../world/settings.ts";
import { conversationOf } from "./conversation.ts";
import { lacksPayment, monthOf, priceOf } from "./pricing.ts";

const USUAL: readonly StatusName[] = ["sent", "delivered", "read"];
const OF_AUDIO: readonly StatusName[] = [...USUAL, "played"];

/** Puts the statuses of a message on the wheel, each its own gap behind the one before. */
export function scheduleStatuses(
  sim: Simulation,
  message: AcceptedMessage,
  plan: { statuses?: readonly StatusName[] | undefined; code?: number | undefined; atOnce?: boolean },
): void {
  if (!sim.delays.statuses) return;
  let dueMs = 0;
  const usual = message.entry.type === "audio" && sim.delays.playedMs !== null ? OF_AUDIO : USUAL;
  for (const [index, status] of (plan.statuses ?? usual).entries()) {
    const gap = gapBefore(sim, status, index);
    // Never: the others come all the same, as `read` may come without `delivered`.
    if (gap === null) continue;
    dueMs += plan.atOnce === true ? 0 : drawDelay(gap, sim.random);
    sim.wheel.add(dueMs, { message, status, code: status === "failed" ? (plan.code ?? 131000) : null });
  }
}

// A plan out of order takes the gaps in the usual order, so that "read" may well be the first thing heard.
function gapBefore(sim: Simulation, status: StatusName, index: number) {
  const { sentMs, deliveredMs, readMs, playedMs } = sim.delays;
  if ({ sent: sentMs, delivered: deliveredMs, read: readMs, failed: sentMs }[status as string] === null) return null;
  return [sentMs, deliveredMs, readMs, playedMs ?? readMs][Math.min(index, 3)] ?? 0;
}

/** Reports the statuses that are due; those of accounts that did not subscribe are only remembered. */
export function emitStatuses(sim: Simulation, due: readonly DueStatus[]): void {
  const timestamp = timestampOf(sim.clock);
  for (const planned of due) {
    const one = paidFor(sim, planned);
    if (one === null) continue;
    const { number, entry } = one.message;
    entry.status = one.status;
    if (one.code !== null) entry.code = one.code;
    sim.counts.statuses += 1;
    sim.news.report({ kind: "sent", entry });
    // Billed whether or not it is reported.
    if (one.status === "delivered" || one.status === "read") takePrice(sim, one.message, true, sim.clock.nowMs());
    if (!number.account.subscribed) continue;
    const said = statusOf(sim, one, timestamp);
    sim.courier.enqueue(messagesDestination(number.account), {
      field: "messages",
      metadata: metadataOf(number),
      ...said,
    });
  }
}

const NO_PAYMENT = 131042;
const ARRIVES: ReadonlySet<StatusName> = new Set(["sent", "delivered", "read", "played"]);

// What the account cannot pay for is not delivered, though it was accepted: it fails in place of what was planned.
function paidFor(sim: Simulation, planned: DueStatus): DueStatus | null {
  const { message, status } = planned;
  if (message.isUnpaid) return null;
  if (message.entry.delivered_at !== null || !ARRIVES.has(status)) return planned;
  if (!lacksPayment(sim, message.number, message.charge, sim.clock.nowMs())) return planned;
  message.isUnpaid = true;
  return { message, status: "failed", code: NO_PAYMENT };
}

/** An entry of `statuses`, and the one of `contacts` that goes with it. */
export function statusOf(
  sim: Simulation,
  due: DueStatus,
  timestamp: string,
): { status: Record<string, unknown>; contact: Record<string, unknown> | null } {
  const { id, number, person, identity, byUserId, opaque } = due.message;
  // Whether the status says more of the person than how the message was addressed.
  const namesPerson = due.status !== "failed" && hasOptional(sim, sim.settings.statusContacts);
  const status: Record<string, unknown> = { id, status: due.status, timestamp };
  if (!byUserId) status["recipient_id"] = identity.waId;
  if (byUserId || namesPerson) {
    status["recipient_user_id"] = identity.userId;
    if (identity.parentUserId !== null) status["recipient_parent_user_id"] = identity.parentUserId;
  }
  if (opaque !== null && (due.status !== "failed" || hasOptional(sim, sim.settings.opaqueOnFailed))) {
    status["biz_opaque_callback_data"] = opaque;
  }
  addCharge(sim, due, status);
  if (due.code !== null) status["errors"] = [statusError(due.code)];
  return { status, contact: namesPerson ? contactOf(person, identity, isNumberHidden(sim, number, person)) : null };
}

// What the message costs is on `sent` and on the first of `delivered` and `read` (provider reference 3.4).
function addCharge(sim: Simulation, { message, status: name }: DueStatus, status: Record<string, unknown>): void {
  const isDelivery = name === "delivered" || name === "read";
  if (isDelivery) message.confirmedBy ??= name;
  if (name !== "sent" && name !== message.confirmedBy) return;
  const pricing = takePrice(sim, message, isDelivery, Number(status["timestamp"]) * 1000);
  const conversation = conversationOf(sim, message, pricing, name);
  if (conversation !== null) status["conversation"] = conversation;
  if (hasOptional(sim, true)) status["pricing"] = pricing;
}

// Until it is delivered the price is what it would be now; then it is settled, and on the bill.
function takePrice(sim: Simulation, message: AcceptedMessage, isDelivery: boolean, at: number): Pricing {
  const { number, entry, charge } = message;
  if (entry.delivered_at !== null && entry.pricing !== null) return entry.pricing;
  entry.pricing = priceOf(sim, number, charge, at);
  if (!isDelivery) return entry.pricing;
  entry.delivered_at = at;
  number.bill.add(monthOf(number.account, at), charge, entry.pricing);
  return entry.pricing;
}
