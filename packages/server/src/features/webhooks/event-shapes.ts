import { Type } from "typebox";
import { nullable } from "../../http/schema-types.ts";
import { eventShape } from "../events/event-shape.ts";
import { ENDPOINT_EXAMPLE, WebhookEndpoint } from "./schema.ts";

export const OPERATIONAL_SHAPE = eventShape({
  name: "OperationalEvent",
  means: {
    endpoint_failing: "An endpoint has only failed for a while; it will be disabled if that goes on.",
    endpoint_disabled: "An endpoint was disabled; what happens meanwhile is parked.",
    endpoint_test: "You have asked for a test of the endpoint. Sent to it alone, whatever it listens to.",
  },
  data: Type.Object({
    webhook_endpoint: nullable(WebhookEndpoint, "The endpoint as it was then."),
    reason: nullable(
      Type.String(),
      "Such as `failing_for_1_hour`, or the `disabled_reason` of the endpoint; null in a test.",
    ),
  }),
  example: (kind) => ({
    webhook_endpoint: { ...ENDPOINT_EXAMPLE, ...STATES[kind].endpoint },
    reason: STATES[kind].reason,
  }),
});

const STATES = {
  endpoint_failing: { endpoint: { status: "failing" }, reason: "failing_for_1_hour" },
  endpoint_disabled: { endpoint: { status: "disabled", enabled: false, disabled_reason: "gone" }, reason: "gone" },
  endpoint_test: { endpoint: {}, reason: null },
};
