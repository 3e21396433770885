import type { Simulator } from "@waypost/simulator";

/** The app's secrets at the simulator, as the gateway under test is configured. */
export const APP_SECRET = "app-secret-of-tests";
export const VERIFY_TOKEN = "verify-token-of-tests";

/** An account of its own at the simulator, with a template for each state worth testing. */
export type ProviderAccount = {
  wabaId: string;
  token: string;
  /** The provider's id of the first number, and the number in E.164. */
  providerPhoneNumberId: string;
  phone: string;
  /** The provider's template ids by name. */
  templates: Record<string, string>;
};

/** `business_id`: its portfolio, one of its own by default; `messaging_limit`: that of the portfolio. */
export type ProviderAccountOptions = {
  numbers?: number;
  subscribed?: boolean;
  business_id?: string;
  messaging_limit?: string;
  timezone_id?: string;
};

let accounts = 0;

/** Adds an account with `numbers` phone numbers, whose ids differ from those of all accounts added before. */
export function addProviderAccount(
  simulator: Simulator,
  { numbers = 1, ...more }: ProviderAccountOptions = {},
): ProviderAccount {
  accounts += 1;
  const wabaId = String(90_000 + accounts);
  const token = `EAASIM${wabaId}`;
  const phoneNumbers = Array.from({ length: numbers }, (_, index) => ({
    id: index === 0 ? String(60_000 + accounts) : `${60_000 + accounts}0${index}`,
    display_phone_number: `+1555${999 - index}${1_000 + accounts}`,
    verified_name: `Shop ${accounts}`,
  }));
  const { template_ids } = simulator.addAccount({
    waba_id: wabaId,
    name: `Shop ${accounts}`,
    business_id: String(70_000 + accounts),
    token,
    phone_numbers: phoneNumbers,
    templates: TEMPLATES.map((template) => ({ ...template })),
    ...more,
  });
  return {
    wabaId,
    token,
    providerPhoneNumberId: phoneNumbers[0]?.id ?? "",
    phone: phoneNumbers[0]?.display_phone_number ?? "",
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
