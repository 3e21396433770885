import { isToPartner } from "../callbacks/fields.ts";
import { type Reported, reportOrReturn } from "../simulation/report.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import type { Account } from "../world/world.ts";
import { ACCOUNT_EVENTS, ACCOUNT_FIELDS } from "./event-values.ts";

/**
 * An event of an account. `field` is `account_update` by default. The value is `event`, the usual `waba_info` of events to the
 * partner, and `value`, or what the documentation shows when there is none. `phone_number_id` is the number that it is
 * about (the account's first). `token_subcode` kills the account's token at the same moment (190 with this subcode: 458 app
 * removed, 460 password changed, 463 expired). With `report: false` it is only returned.
 */
export type AccountEventInput = {
  waba_id: string;
  event?: string;
  field?: string;
  value?: Record<string, unknown>;
  phone_number_id?: string;
  token_subcode?: number;
  report?: boolean;
};

/** Reports an account event; most go to the app, whether the account is subscribed or not. */
export function emitAccountEvent(sim: Simulation, account: Account, input: AccountEventInput): Reported {
  const field = input.field ?? "account_update";
  const event = input.event ?? "";
  const value: Record<string, unknown> = {
    ...(input.value === undefined ? usualValue(sim, account, input) : {}),
    ...(input.event === undefined ? {} : { event }),
    ...(isToPartner(field, event) ? { waba_info: partnerInfo(sim, account, event) } : {}),
    ...input.value,
  };
  if (input.token_subcode !== undefined) account.tokenDeath = input.token_subcode;
  return reportOrReturn(sim, account, { field, value, report: input.report });
}

function usualValue(sim: Simulation, account: Account, input: AccountEventInput): Record<string, unknown> {
  const { field = "account_update", event = "", phone_number_id } = input;
  const number =
    phone_number_id === undefined
      ? account.phoneNumbers[0]
      : account.phoneNumbers.find((one) => one.id === phone_number_id);
  if (phone_number_id !== undefined && number === undefined)
    throw new ControlError(404, `no phone number ${phone_number_id} in account ${account.id}`);
  const valueOf = field === "account_update" ? ACCOUNT_EVENTS[event] : ACCOUNT_FIELDS[field];
  return valueOf?.({ sim, account, number, nowSeconds: Math.floor(sim.clock.nowMs() / 1000) }) ?? {};
}

function partnerInfo(sim: Simulation, account: Account, event: string): Record<string, unknown> {
  const info: Record<string, unknown> = { waba_id: account.id, owner_business_id: account.businessId };
  if (event.startsWith("PARTNER_APP_")) info["partner_app_id"] = sim.app.id;
  if (event === "AD_ACCOUNT_LINKED") info["ad_account_linked"] = "120330000000001";
  return info;
}
