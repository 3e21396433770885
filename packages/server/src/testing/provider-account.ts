import type { Simulator } from "@waypost/simulator";

/** The simulator as the gateway under test is set up for it. */
export const APP_SECRET = "app-secret-of-tests";
export const VERIFY_TOKEN = "verify-token-of-tests";

/** An account of its own at the simulator: one number, and a template for each state worth trying. */
export type ProviderAccount = {
  wabaId: string;
  token: string;
  providerPhoneNumberId: string;
  phone: string;
  /** Provider's template ids by name. */
  templates: Record<string, string>;
};

let made = 0;

export function addProviderAccount(simulator: Simulator, more: { subscribed?: boolean } = {}): ProviderAccount {
  made += 1;
  const wabaId = String(90_000 + made);
  const digits = `1555999${String(1_000 + made)}`;
  const token = `EAASIM${wabaId}`;
  const providerPhoneNumberId = String(60_000 + made);
  const { template_ids } = simulator.addAccount({
    waba_id: wabaId,
    name: `Shop ${made}`,
    business_id: String(70_000 + made),
    token,
    phone_numbers: [{ id: providerPhoneNumberId, display_phone_number: `+${digits}`, verified_name: `Shop ${made}` }],
    templates: TEMPLATES.map((template) => ({ ...template })),
    ...more,
  });
  return {
    wabaId,
    token,
    providerPhoneNumberId,
    phone: `+${digits}`,
    templates: Object.fromEntries(TEMPLATES.map(({ name }, index) => [name, template_ids[index] ?? ""])),
  };
}

const body = (text: string) => [{ type: "BODY", text }];
const utility = { language: "en_US", category: "UTILITY" };
const TEMPLATES = [
  { ...utility, name: "order_ready", components: body("Your order is ready.") },
  { ...utility, name: "order_update", components: body("Hi {{1}}, your order {{2}} is on its way.") },
  { ...utility, name: "promo_spring", category: "MARKETING", components: body("Spring is here.") },
  { ...utility, name: "pending_notice", status: "PENDING" as const, components: body("Waits for its review.") },
  { ...utility, name: "paused_notice", status: "PAUSED" as const, components: body("Paused.") },
];
