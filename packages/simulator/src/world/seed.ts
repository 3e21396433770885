import type { AccountInput } from "./world.ts";

/** People of a first look, for the virtual phone. */
export const DEMO_PEOPLE: readonly { person: string; name: string }[] = [
  { person: "+15551230001", name: "Ann" },
  { person: "+15551230002", name: "Ben" },
  { person: "+15551230003", name: "Chidi" },
  { person: "+15551230004", name: "Dunja" },
];

/** The account of a first look: one number, and a template for each state worth trying. Its limit is that of a new portfolio. */
export const DEMO_ACCOUNT: AccountInput = {
  waba_id: "9001",
  name: "Demo Shop",
  business_id: "7001",
  token: "EAASIMDEMO",
  messaging_limit: "TIER_250",
  // A restarted simulator has forgotten the subscription that the gateway remembers having made.
  subscribed: true,
  phone_numbers: [{ id: "1055", display_phone_number: "+1 555-999-0000", verified_name: "Demo Shop" }],
  templates: [
    {
      id: "1689556908129832",
      name: "order_ready",
      language: "en_US",
      category: "UTILITY",
      parameter_format: "POSITIONAL",
      components: [{ type: "BODY", text: "Your order is ready to be picked up." }],
    },
    {
      id: "1689556908129833",
      name: "order_update",
      language: "en_US",
      category: "UTILITY",
      parameter_format: "POSITIONAL",
      components: [
        {
          type: "BODY",
          text: "Hi {{1}}, your order {{2}} is on its way.",
          example: { body_text: [["Ana", "A17"]] },
        },
      ],
    },
    {
      id: "1689556908129834",
      name: "order_update_named",
      language: "en_US",
      category: "UTILITY",
      parameter_format: "NAMED",
      components: [
        {
          type: "BODY",
          text: "Hi {{first_name}}, your order {{order_no}} is on its way.",
          example: {
            body_text_named_params: [
              { param_name: "first_name", example: "Ana" },
              { param_name: "order_no", example: "A17" },
            ],
          },
        },
      ],
    },
    {
      id: "1689556908129835",
      name: "promo_spring",
      language: "en_US",
      category: "MARKETING",
      parameter_format: "POSITIONAL",
      components: [
        { type: "BODY", text: "Spring is here: 20 % off everything until Sunday." },
        { type: "FOOTER", text: "Reply STOP to opt out" },
        { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Show me" }] },
      ],
    },
    {
      id: "1689556908129836",
      name: "pending_notice",
      language: "en_US",
      category: "UTILITY",
      status: "PENDING",
      components: [{ type: "BODY", text: "This template waits for its review." }],
    },
    {
      id: "1689556908129837",
      name: "paused_notice",
      language: "en_US",
      category: "UTILITY",
      status: "PAUSED",
      components: [{ type: "BODY", text: "This template is paused for low quality." }],
    },
  ],
};
