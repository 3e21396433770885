import { type AnyRoute, route } from "../../http/route.ts";
import { getMessageMetrics } from "./metrics.ts";
import { MessageMetrics, MessageMetricsQuery } from "./schema.ts";

export const METRIC_ROUTES: readonly AnyRoute[] = [
  route({
    tag: "Metrics",
    auth: "workspace",
    scope: "messages:read",
    kind: "read",
    method: "GET",
    path: "/v1/metrics/messages",
    searches: true,
    summary: "Get what happened to messages over time",
    description:
      "Counts by interval, the latest first, and how long delivery took; intervals and groups in which nothing happened are left out. Each status counts once for a message, in the interval in which it was reached, so that one message may be in several: a chart of statuses shows what happened when, `GET /v1/usage` what became of the messages of a day. At most a minute late; what is reported late is in the interval in which it happened. Intervals of five minutes are kept for 8 days, hours for 92 and days for 1,000.",
    operationId: "metrics.messages",
    action: "message_metrics.read",
    query: MessageMetricsQuery,
    status: 200,
    response: MessageMetrics,
    verb: getMessageMetrics,
  }),
];
