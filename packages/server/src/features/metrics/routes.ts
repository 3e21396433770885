import { type AnyRoute, route } from "../../http/route.ts";
import { getDeliveryMetrics, getMessageMetrics } from "./metrics.ts";
import { DeliveryMetrics, DeliveryMetricsQuery, MessageMetrics, MessageMetricsQuery } from "./schema.ts";

const KEPT = "Intervals of five minutes are kept for 8 days, hours for 92 and days for 1,000.";

export const METRIC_ROUTES: readonly AnyRoute[] = [
  route({
    tag: "Metrics",
    auth: "workspace",
    scope: "messages:read",
    limitedKeys: "own",
    kind: "read",
    method: "GET",
    path: "/v1/metrics/messages",
    searches: true,
    summary: "Get what happened to messages over time",
    description: `Counts by interval, the latest first, and how long delivery took; intervals and groups in which nothing happened are left out. Each status counts once for a message, in the interval in which it was reached, so that one message may be in several: a chart of statuses shows what happened when, \`GET /v1/usage\` what became of the messages of a day. At most a minute late; what is reported late is in the interval in which it happened. ${KEPT}`,
    operationId: "metrics.messages",
    action: "message_metrics.read",
    query: MessageMetricsQuery,
    status: 200,
    response: MessageMetrics,
    verb: getMessageMetrics,
  }),
  route({
    tag: "Metrics",
    auth: "workspace",
    scope: "webhooks:read",
    limitedKeys: "own",
    kind: "read",
    method: "GET",
    path: "/v1/metrics/deliveries",
    searches: true,
    summary: "Get attempts to deliver events over time",
    description: `Attempts by interval, the latest first, and how long they took; intervals and groups without any are left out. Each attempt of a delivery counts in the interval in which it began, at most a minute late. ${KEPT}`,
    operationId: "metrics.deliveries",
    action: "delivery_metrics.read",
    query: DeliveryMetricsQuery,
    status: 200,
    response: DeliveryMetrics,
    verb: getDeliveryMetrics,
  }),
];
