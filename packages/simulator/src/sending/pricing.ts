import type { Simulation } from "../simulation/simulation.ts";
import { isServiceCounted, type NumberBill } from "../world/bill.ts";
import type { Charge, Pricing } from "../world/charge.ts";
import type { Template } from "../world/template.ts";
import type { Account, Chat, PhoneNumber } from "../world/world.ts";

/** Who comes by an advertisement is free for seven days, who comes by a button of a page for three; before autumn 2026 all for three. */
const AD_ENTRY_HOURS = 168;
const ENTRY_HOURS = 72;
const HOUR_MS = 3_600_000;

/** Service messages of a number that are delivered in a calendar month at no charge. */
export const FREE_SERVICE_MESSAGES = 1_000;

/** What decides the price of a message, sent now. The first answer to an advertisement starts its free time. */
export function takeCharge(
  sim: Simulation,
  { template, type, chat }: { template: Template | null; type: string; chat: Chat },
): Charge {
  const now = sim.clock.nowMs();
  if (chat.referredUntil > now) {
    chat.referredUntil = 0;
    chat.freeEntryUntil = now + entryHours(sim, chat) * HOUR_MS;
  }
  return chargeOf(sim, template?.category ?? null, type, chat);
}

function entryHours({ settings }: Simulation, { referredByAd }: Chat): number {
  if (settings.freeEntryHours !== null) return settings.freeEntryHours;
  return referredByAd && settings.prices === "october_2026" ? AD_ENTRY_HOURS : ENTRY_HOURS;
}

/** `category` is that of the template; null: the message is none. */
export function chargeOf(sim: Simulation, category: string | null, type: string, chat: Chat): Charge {
  const now = sim.clock.nowMs();
  return {
    category: category?.toLowerCase() ?? "service",
    isReaction: type === "reaction",
    inWindow: chat.windowUntil > now,
    freeUntil: chat.freeEntryUntil > now ? chat.freeEntryUntil : null,
  };
}

/** What a message costs that is delivered at this moment (provider reference 7 and 12.1). */
export function priceOf(sim: Simulation, number: PhoneNumber, charge: Charge, at: number): Pricing {
  const { category, freeUntil, inWindow } = charge;
  if (freeUntil !== null) return pricing(sim, "free_entry_point", "referral_conversion");
  if (sim.settings.prices === "july_2025") {
    const free = category === "service" || (category === "utility" && inWindow);
    return pricing(sim, free ? "free_customer_service" : "regular", category);
  }
  if (category !== "service") return pricing(sim, "regular", category);
  if (charge.isReaction || isInsideAllowance(number, at)) return pricing(sim, "free_customer_service", category);
  return number.account.paidExempt
    ? { ...pricing(sim, "regular", category, false), subtype: "paid_exempt" }
    : pricing(sim, "regular", category);
}

const isInsideAllowance = (number: PhoneNumber, at: number): boolean =>
  number.bill.allowanceUsed(monthOf(number.account, at)) < FREE_SERVICE_MESSAGES;

function pricing({ settings }: Simulation, type: string, category: string, billable = type === "regular"): Pricing {
  return { ...(settings.billableField ? { billable } : {}), pricing_model: "PMP", type, category };
}

/** Whether a message is not delivered because its account cannot pay for it. */
export function lacksPayment(sim: Simulation, number: PhoneNumber, charge: Charge, at: number): boolean {
  const { paymentMethod, paidExempt } = number.account;
  if (paymentMethod || paidExempt || sim.settings.prices === "july_2025" || !isServiceCounted(charge)) return false;
  return !isInsideAllowance(number, at);
}

/** `2026-11`, in the time zone that the account is billed in. */
export function monthOf(account: Account, at: number): string {
  const parts = formatOf(account.timeZone).formatToParts(at);
  const part = (name: string): string => parts.find(({ type }) => type === name)?.value ?? "";
  return `${part("year")}-${part("month")}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", { timeZone, year: "numeric", month: "2-digit" });
    formats.set(timeZone, format);
  }
  return format;
}

/** A number's bill as control shows it. */
export const billOf = (number: PhoneNumber, bill: NumberBill = number.bill) =>
  bill.months().map(({ month, used, others, charges }) => ({
    phone_number_id: number.id,
    month,
    time_zone: number.account.timeZone,
    allowance: { included: FREE_SERVICE_MESSAGES, used, others },
    billable: charges
      .filter(({ type, subtype }) => type === "regular" && subtype === undefined)
      .reduce((sum, { count }) => sum + count, 0),
    charges,
  }));
