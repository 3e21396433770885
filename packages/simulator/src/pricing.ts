import type { Pricing } from "./sent.ts";
import type { Template } from "./template.ts";
import type { Chat } from "./world.ts";

/** Who comes from an advertisement and is answered within a day may be written to for three days at no charge. */
const FREE_ENTRY_MS = 72 * 3_600_000;

/** What a message costs, sent now (provider reference 7). The first answer to an advertisement starts its free time. */
export function takePricing(template: Template | null, chat: Chat, now: number): Pricing {
  if (chat.referredUntil > now) {
    chat.referredUntil = 0;
    chat.freeEntryUntil = now + FREE_ENTRY_MS;
  }
  return pricingOf(template?.category ?? null, chat, now);
}

/** `category` is that of the template; null: the message is none. */
export function pricingOf(category: string | null, chat: Chat, now: number): Pricing {
  if (chat.freeEntryUntil > now) {
    return { billable: false, pricing_model: "PMP", type: "free_entry_point", category: "referral_conversion" };
  }
  const lower = category?.toLowerCase() ?? "service";
  // Utility templates inside the window and everything that is no template are free.
  const free = category === null || (lower === "utility" && chat.windowUntil > now);
  return { billable: !free, pricing_model: "PMP", type: free ? "free_customer_service" : "regular", category: lower };
}
