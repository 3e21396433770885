import type { Simulation } from "./simulation.ts";
import type { Account } from "./world.ts";

/**
 * An event of an account. `field` is `account_update` by default; its value is made of `event`, the usual
 * `waba_info` of the PARTNER_ events, and `value`, which wins. `token_subcode` kills the account's token at the same
 * moment (190 with this subcode: 458 app removed, 460 password changed, 463 expired).
 */
export type AccountEventInput = {
  waba_id: string;
  event?: string;
  field?: string;
  value?: Record<string, unknown>;
  token_subcode?: number;
};

/** Reports an account event; these go to the app's own URL, whether the account is subscribed or not. */
export function emitAccountEvent(sim: Simulation, account: Account, input: AccountEventInput): void {
  const field = input.field ?? "account_update";
  const isPartnerEvent = field === "account_update" && (input.event ?? "").startsWith("PARTNER_");
  const value: Record<string, unknown> = {};
  if (input.event !== undefined) value["event"] = input.event;
  if (isPartnerEvent) value["waba_info"] = partnerInfo(sim, account, input.event ?? "");
  Object.assign(value, input.value);
  if (input.token_subcode !== undefined) account.tokenDeath = input.token_subcode;
  // Partner events name the partner's business on the envelope, the customer's account only inside.
  const entryId = isPartnerEvent ? sim.app.partnerBusinessId : account.id;
  sim.courier.enqueue({ entryId, override: null }, { field, value });
}

function partnerInfo(sim: Simulation, account: Account, event: string): Record<string, unknown> {
  const info: Record<string, unknown> = { waba_id: account.id, owner_business_id: account.businessId };
  if (event.startsWith("PARTNER_APP_")) info["partner_app_id"] = sim.app.id;
  return info;
}
