import { messagesDestination, type Simulation } from "./simulation.ts";
import type { Account } from "./world.ts";

/** One change of a callback, as it was sent or can be sent later, again or altered by `sendUpdate`. */
export type ReportedUpdate = { waba_id: string; field: string; value: Record<string, unknown> };

/** Fields that an account's own callback URL takes; all others go to the app's (documentation of overrides). */
const OVERRIDABLE =
  /^(messages|message_echoes|calls|consumer_profile|messaging_handovers|history|account_settings_update|group_.*|smb_.*)$/;

/** Puts the update on its way; `false` when the account did not subscribe. */
export function report(sim: Simulation, account: Account, { field, value }: Omit<ReportedUpdate, "waba_id">): boolean {
  if (!account.subscribed) return false;
  const destination = OVERRIDABLE.test(field) ? messagesDestination(account) : { entryId: account.id, override: null };
  sim.courier.enqueue(destination, { field, value });
  return true;
}
