import { eventGroup } from "../webhooks/event-groups.ts";
import { accountEventData } from "./render.ts";

export const ACCOUNT_EVENTS = eventGroup({
  category: "account",
  kinds: ["permissions_changed", "signup_completed", "signup_revoked", "account_changed", "phone_number_changed"],
  data: ({ state }) => accountEventData(state),
});
