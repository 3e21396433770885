import { ACCOUNT_EVENTS } from "../../accounts/events.ts";
import { CONTACT_EVENTS } from "../../contacts/events.ts";
import { EventGroups } from "../../events/event-groups.ts";
import { INBOUND_EVENTS, STATUS_EVENTS } from "../../messages/events.ts";
import { OPERATIONAL_EVENTS } from "../operational-events.ts";

// Apart from app.ts, because the child process of the tests needs these and must not load vitest.

/** Events of other features, for the tests of how they are delivered. */
export const TEST_EVENTS = new EventGroups([
  INBOUND_EVENTS,
  STATUS_EVENTS,
  CONTACT_EVENTS,
  ACCOUNT_EVENTS,
  OPERATIONAL_EVENTS,
]);

export const TEST_ENV = {
  WAYPOST_OPERATOR_KEY: "operator-key-0123456789",
  PORT: "0",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
  API_RATE_LIMIT: "off",
};
