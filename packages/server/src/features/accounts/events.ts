import { eventGroup } from "../events/event-groups.ts";
import { ACCOUNT_SHAPE, NUMBER_SHAPE } from "./event-shapes.ts";
import { accountEventData, numberEventData } from "./render.ts";

export const ACCOUNT_EVENTS = eventGroup({
  category: "account",
  kinds: ["permissions_changed", "signup_completed", "signup_revoked", "account_changed", "phone_number_changed"],
  shapes: [ACCOUNT_SHAPE, NUMBER_SHAPE],
  data: ({ kind, state }) => (kind === "phone_number_changed" ? numberEventData(state) : accountEventData(state)),
});
