import { isOfTemplate, isToPartner, needsSubscription, takesOverride } from "../callbacks/fields.ts";
import type { Account } from "../world/world.ts";
import { messagesDestination, type Simulation } from "./simulation.ts";

/** One change of a callback, as it was sent or can be sent later, again or altered by `sendUpdate`. */
export type ReportedUpdate = { waba_id: string; field: string; value: Record<string, unknown> };

/** `update` is for `sendUpdate`; `reported` is false when the account did not subscribe, or when it was only to be returned. */
export type Reported = { reported: boolean; update: ReportedUpdate };

/** Puts the update on its way; `false` when the account did not subscribe. */
export function report(sim: Simulation, account: Account, { field, value }: Omit<ReportedUpdate, "waba_id">): boolean {
  sim.news.report({ kind: "world" });
  if (!account.subscribed && needsSubscription(field)) return false;
  const entryId = isToPartner(field, value["event"]) ? sim.app.partnerBusinessId : account.id;
  const destination = takesOverride(field) ? messagesDestination(account) : { entryId, override: null };
  sim.courier.enqueue(destination, { field, value: isOfTemplate(field) ? withInteger(value) : value });
  return true;
}

/** Sends the change, unless it is only to be returned. */
export function reportOrReturn(
  sim: Simulation,
  account: Account,
  change: Omit<ReportedUpdate, "waba_id"> & { report: boolean | undefined },
): Reported {
  const update = { waba_id: account.id, field: change.field, value: change.value };
  return { reported: change.report !== false && report(sim, account, update), update };
}

// A text in the REST API and in what control returns, an integer on the wire, which JSON cannot hold once it passes 2^53.
function withInteger(value: Record<string, unknown>): Record<string, unknown> {
  const id = value["message_template_id"];
  return typeof id === "string" && /^\d+$/.test(id) ? { ...value, message_template_id: BigInt(id) } : value;
}
