import { statusError } from "./graph-error.ts";
import { contactOf, isNumberHidden } from "./identity.ts";
import { drawDelay } from "./random.ts";
import type { AcceptedMessage, DueStatus } from "./sent.ts";
import type { StatusName } from "./settings.ts";
import { messagesDestination, metadataOf, type Simulation, timestampOf } from "./simulation.ts";

const USUAL: readonly StatusName[] = ["sent", "delivered", "read"];

/** Puts the statuses of a message on the wheel, each its own gap behind the one before. */
export function scheduleStatuses(
  sim: Simulation,
  message: AcceptedMessage,
  plan: { statuses?: readonly StatusName[] | undefined; code?: number | undefined; atOnce?: boolean },
): void {
  if (!sim.delays.statuses) return;
  let dueMs = 0;
  for (const [index, status] of (plan.statuses ?? USUAL).entries()) {
    const gap = gapBefore(sim, status, index);
    // Never: the others come all the same, as `read` may come without `delivered`.
    if (gap === null) continue;
    dueMs += plan.atOnce === true ? 0 : drawDelay(gap, sim.random);
    sim.wheel.add(dueMs, { message, status, code: status === "failed" ? (plan.code ?? 131000) : null });
  }
}

// A plan out of order takes the gaps in the usual order, so that "read" may well be the first thing heard.
function gapBefore(sim: Simulation, status: StatusName, index: number) {
  const { sentMs, deliveredMs, readMs } = sim.delays;
  const own = { sent: sentMs, delivered: deliveredMs, read: readMs, failed: sentMs }[status];
  if (own === null) return null;
  return [sentMs, deliveredMs, readMs][Math.min(index, 2)] ?? 0;
}

/** Reports the statuses that are due; those of accounts that did not subscribe are only remembered. */
export function emitStatuses(sim: Simulation, due: readonly DueStatus[]): void {
  const timestamp = timestampOf(sim.clock);
  for (const one of due) {
    const { number, entry, person, identity } = one.message;
    entry.status = one.status;
    if (one.code !== null) entry.code = one.code;
    sim.counts.statuses += 1;
    if (!number.account.subscribed) continue;
    sim.courier.enqueue(messagesDestination(number.account), {
      field: "messages",
      metadata: metadataOf(number),
      status: statusOf(sim, one, timestamp),
      contact: namesPerson(sim, one) ? contactOf(person, identity, isNumberHidden(sim, number, person)) : null,
    });
  }
}

/** Whether the status says more of the person than how the message was addressed. */
function namesPerson(sim: Simulation, due: DueStatus): boolean {
  return sim.settings.statusContacts && due.status !== "failed";
}

function statusOf(sim: Simulation, due: DueStatus, timestamp: string): Record<string, unknown> {
  const { id, identity, byUserId, opaque, pricing } = due.message;
  const status: Record<string, unknown> = { id, status: due.status, timestamp };
  if (!byUserId) status["recipient_id"] = identity.waId;
  if (byUserId || namesPerson(sim, due)) {
    status["recipient_user_id"] = identity.userId;
    if (identity.parentUserId !== null) status["recipient_parent_user_id"] = identity.parentUserId;
  }
  if (opaque !== null && (due.status !== "failed" || sim.settings.opaqueOnFailed)) {
    status["biz_opaque_callback_data"] = opaque;
  }
  if (due.status === "sent" || due.status === "delivered") status["pricing"] = pricing;
  if (due.code !== null) status["errors"] = [statusError(due.code)];
  return status;
}
