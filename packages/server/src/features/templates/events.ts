import { TEMPLATE_STATUSES } from "../../provider/provider.ts";
import { eventGroup } from "../events/event-groups.ts";
import { TEMPLATE_CHANGE_SHAPE, TEMPLATE_STATUS_SHAPE } from "./event-shapes.ts";
import { templateChangeData, templateEventData } from "./render.ts";

export const TEMPLATE_STATUS_EVENTS = eventGroup({
  category: "template_status",
  kinds: TEMPLATE_STATUSES,
  shapes: [TEMPLATE_STATUS_SHAPE],
  data: ({ state }) => templateEventData(state),
});

export const TEMPLATE_EVENTS = eventGroup({
  category: "template",
  kinds: ["template_quality_changed", "template_category_changed", "template_components_changed"],
  shapes: [TEMPLATE_CHANGE_SHAPE],
  data: ({ state }) => templateChangeData(state),
});
