import { Type } from "typebox";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { eventShape } from "../events/event-shape.ts";
import { Component, TEMPLATE_EXAMPLE, Template } from "./schema.ts";

export const TEMPLATE_STATUS_SHAPE = eventShape({
  name: "TemplateStatusEvent",
  means: {
    pending: "The provider reviews the template.",
    approved: "The template can be sent.",
    rejected: "The provider has rejected the template; `reason` says why.",
    paused: "The provider has paused the template for its quality.",
    disabled: "The provider has disabled the template.",
    in_appeal: "The rejection of the template is being appealed.",
    flagged: "The quality of the template is low; it may be paused.",
    limit_exceeded: "The account has more templates than the provider allows.",
    locked: "The template cannot be edited for now.",
    pending_deletion: "The template is being deleted.",
    deleted: "The template is gone.",
    archived: "The provider has archived the template, which was not used for long.",
  },
  data: Type.Object({
    template: Template,
    previous_status: nullable(Type.String(), "Null for a template that is new here."),
    reason: nullable(Type.String(), "The provider's reason."),
    detail: Type.Unsafe<Record<string, unknown> | null>({
      type: ["object", "null"],
      additionalProperties: true,
      description: "What else the provider says of a pause, a rejection or an end, as it gave it.",
    }),
  }),
  example: (status) => ({
    template: { ...TEMPLATE_EXAMPLE, status, rejection_reason: status === "rejected" ? "INVALID_FORMAT" : null },
    previous_status:
      status === "pending" ? null : status === "approved" || status === "rejected" ? "pending" : "approved",
    reason: status === "rejected" ? "INVALID_FORMAT" : null,
    detail: null,
  }),
});

const QualityOrContent = Type.Union([Type.String(), Type.Array(Component)]);

export const TEMPLATE_CHANGE_SHAPE = eventShape({
  name: "TemplateEvent",
  means: {
    template_quality_changed: "The provider rates the quality of the template differently.",
    template_category_changed: "The category of the template changes, or has changed.",
    template_components_changed: "The content of the template has changed.",
  },
  data: Type.Object({
    template: Template,
    previous: QualityOrContent,
    current: QualityOrContent,
    effective_at: Type.Optional(nullable(timestampOutput(), "When a category changes; null: it has changed.")),
  }),
  example: (kind) => ({ template: TEMPLATE_EXAMPLE, ...CHANGES[kind] }),
});

const CHANGES = {
  template_quality_changed: { previous: "unknown", current: "green" },
  template_category_changed: { previous: "marketing", current: "utility", effective_at: null },
  template_components_changed: {
    previous: [{ type: "BODY", text: "Hi {{1}}, your order {{2}} is here." }],
    current: TEMPLATE_EXAMPLE.components,
  },
};
