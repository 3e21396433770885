import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { listOf, listQuery } from "../../../http/pagination.ts";
import { nullable } from "../../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../../http/timestamps.ts";

const DeliveryStatus = Type.Union([
  Type.Literal("pending"),
  Type.Literal("succeeded"),
  Type.Literal("failed"),
  Type.Literal("parked"),
]);

const DELIVERY_EXAMPLE = {
  id: "dlv_01jd0000000000000000000000",
  event_id: "evt_01jd0000000000000000000000",
  webhook_endpoint_id: "whe_01jd0000000000000000000000",
  kind: "delivered",
  status: "succeeded",
  attempt: 1,
  next_attempt_at: null,
  created_at: "2026-01-31T09:30:00.000Z",
  completed_at: "2026-01-31T09:30:00.214Z",
};

const deliveryFields = {
  id: idSchema("dlv"),
  event_id: idSchema("evt"),
  webhook_endpoint_id: idSchema("whe"),
  kind: Type.String(),
  status: DeliveryStatus,
  attempt: Type.Integer({ description: "The number of attempts so far." }),
  next_attempt_at: nullable(Type.String({ format: "date-time" })),
  created_at: timestampOutput(),
  completed_at: nullable(Type.String({ format: "date-time" })),
};
const Attempt = Type.Object({
  n: Type.Integer(),
  started_at: timestampOutput(),
  duration_ms: Type.Integer(),
  status_code: nullable(Type.Integer()),
  outcome: Type.String(),
  error: nullable(Type.String()),
  response: nullable(
    Type.String({
      description:
        "The start of the response body. Null where it could repeat what may not be read: once the person is erased or the event is not kept, and for messages without the scope `messages:read`.",
    }),
  ),
  request: Type.Optional(
    Type.Object(
      {
        headers: Type.Record(Type.String(), nullable(Type.String()), {
          description:
            "Its headers without the signatures, by names in lower case. Those that the endpoint has of its own now are null.",
        }),
        body: nullable(
          Type.String({
            description:
              "Its body, rendered from what is kept of the event now; null when the event is not kept. Without the scope `messages:read`, messages have no content.",
          }),
        ),
      },
      { description: "What was posted. Only where one delivery is read." },
    ),
  ),
});
export const Delivery = Type.Object(
  { ...deliveryFields, attempts: Type.Array(Attempt, { description: "The attempts, oldest first." }) },
  {
    $id: "Delivery",
    examples: [
      {
        ...DELIVERY_EXAMPLE,
        attempts: [
          {
            n: 1,
            started_at: "2026-01-31T09:30:00.120Z",
            duration_ms: 94,
            status_code: 200,
            outcome: "succeeded",
            error: null,
            response: "ok",
            request: {
              headers: {
                "content-type": "application/json",
                "user-agent": "Waypost/0.2.0",
                "x-service-event": "delivered",
                "x-service-delivery": "dlv_01jd0000000000000000000000",
                "x-service-attempt": "1",
                "webhook-id": "evt_01jd0000000000000000000000",
                "webhook-timestamp": "1769851800",
              },
              body: '{"id":"evt_01jd0000000000000000000000","kind":"delivered"}',
            },
          },
        ],
      },
    ],
  },
);
export type Delivery = Static<typeof Delivery>;
export const DeliverySummary = Type.Object(deliveryFields, {
  $id: "DeliverySummary",
  examples: [DELIVERY_EXAMPLE],
});
export type DeliverySummary = Static<typeof DeliverySummary>;
export const DeliveryList = listOf(DeliverySummary);
export const DeliveryListQuery = Type.Object({
  ...listQuery,
  status: Type.Optional(DeliveryStatus),
  kind: Type.Optional(Type.String({ maxLength: 64, description: "The kind of the event, such as `delivered`." })),
  created_after: Type.Optional(timestampInput("Only deliveries created after this time.")),
  created_before: Type.Optional(timestampInput("Only deliveries created before this time.")),
  message_id: Type.Optional(Type.String({ maxLength: 64, description: "Only deliveries of events of this message." })),
  contact_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Only deliveries of events of this person, under each id that they have had.",
    }),
  ),
});
export type DeliveryListQuery = Static<typeof DeliveryListQuery>;
export const AllDeliveriesQuery = Type.Object({
  ...DeliveryListQuery.properties,
  webhook_endpoint_id: Type.Optional(Type.String({ maxLength: 64, description: "Only deliveries to this endpoint." })),
});
export type AllDeliveriesQuery = Static<typeof AllDeliveriesQuery>;
