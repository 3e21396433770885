import { eventGroup, isRow } from "../events/event-groups.ts";
import { OPERATIONAL_SHAPE } from "./event-shapes.ts";
import { renderEndpointSnapshot } from "./render.ts";

/** Sent to one endpoint on request, whatever it subscribes to, so it is not among the kinds. */
export const TEST_KIND = "endpoint_test";

/** Events about the endpoints themselves. */
export const OPERATIONAL_EVENTS = eventGroup({
  category: "operational",
  hasOthers: true,
  kinds: ["endpoint_failing", "endpoint_disabled"],
  shapes: [OPERATIONAL_SHAPE],
  data({ state }) {
    const endpoint = state["webhook_endpoint"];
    return {
      webhook_endpoint: isRow(endpoint) ? renderEndpointSnapshot(endpoint) : null,
      reason: state["reason"] ?? null,
    };
  },
});
