import { type Reported, reportOrReturn } from "../simulation/report.ts";
import { metadataOf, type Simulation, timestampOf } from "../simulation/simulation.ts";
import type { PhoneNumber } from "../world/world.ts";

/**
 * A person used the link of a marketing message; who it was is never said. `action_type` is `marketing_messages_link_click`, or
 * `landing_page_view` of the page behind it, which has no `click_component` and `product_id`. Either key may be null: left out.
 */
export type UserActionInput = {
  phone_number_id: string;
  action_type?: string;
  click_id?: string | null;
  tracking_token?: string | null;
  click_component?: "cta" | "body";
  product_id?: string;
  timestamp?: string;
  report?: boolean;
};

export function reportUserAction(sim: Simulation, number: PhoneNumber, input: UserActionInput): Reported {
  const { action_type = "marketing_messages_link_click", timestamp = timestampOf(sim.clock) } = input;
  const { click_component = "cta", product_id, click_id = "click-1", tracking_token = "token-1" } = input;
  const data = {
    ...(action_type === "landing_page_view" ? {} : { click_component }),
    ...(product_id === undefined ? {} : { product_id }),
    ...(click_id === null ? {} : { click_id }),
    ...(tracking_token === null ? {} : { tracking_token }),
  };
  const value = {
    messaging_product: "whatsapp",
    metadata: metadataOf(number),
    user_actions: [{ action_type, timestamp, marketing_messages_link_click_data: data }],
  };
  return reportOrReturn(sim, number.account, { field: "messages", value, report: input.report });
}
