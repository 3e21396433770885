import { type Static, type TSchema, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";
import { MESSAGE_STATUSES } from "../threads/status.ts";
import { type Interval, SPANS } from "./metric.sql.ts";

const INTERVALS = Object.keys(SPANS) as Interval[]; // of the object above
export const MESSAGE_GROUPS = ["status", "category", "template", "phone_number_id", "error_code"] as const;

const time = (of: string) => ({
  p50_ms: nullable(
    Type.Integer(),
    `Milliseconds that half of them took at most, to within 5 %: ${of} Null where none did.`,
  ),
  p95_ms: nullable(Type.Integer(), "The same of 95 %."),
});
const at = { at: timestampOutput() };
const of = <S extends TSchema>(schema: S, description: string) =>
  Type.Optional({ ...schema, description: `${description} With this \`group_by\` alone.` });

const MessageMetric = Type.Object(
  {
    ...at,
    status: of(Type.Enum(MESSAGE_STATUSES), "The status that the messages came to; `received` are inbound ones."),
    category: of(nullable(Type.String()), "The category of the template; null for other types."),
    template: of(nullable(Type.String()), "The name of the template; null for other types."),
    phone_number_id: of(idSchema("num"), "The phone number that sent or received them."),
    error_code: of(nullable(Type.String()), "The code of `error`."),
    count: Type.Integer({
      description:
        "By `status`, the messages that came to it in the interval; by `error_code`, those that failed or expired in it; else those that were received, or of which a first outcome was known.",
    }),
    ...time("from `accepted` to `delivered`, of those that were delivered in the interval."),
  },
  { $id: "MessageMetric", description: "What happened in an interval, which begins at `at` in UTC." },
);
export type MessageMetric = Static<typeof MessageMetric>;

export const MessageMetrics = Type.Object(
  { data: Type.Array(MessageMetric) },
  {
    $id: "MessageMetrics",
    examples: [{ data: [{ at: "2026-01-31T09:00:00.000Z", count: 1180, p50_ms: 1930, p95_ms: 7120 }] }],
  },
);
export type MessageMetrics = Static<typeof MessageMetrics>;

const range = {
  at_after: Type.Optional(
    timestampInput("Only intervals that begin at this time or later; without it, those of a day."),
  ),
  at_before: Type.Optional(timestampInput("Only intervals that begin before this time.")),
  interval: Type.Optional(
    Type.Enum(INTERVALS, {
      description: "How long an interval is, `1h` without it. A day is one in UTC.",
    }),
  ),
};
const GROUP_BY = { description: "What is counted apart; without it all are counted together." };

export const MessageMetricsQuery = Type.Object({
  ...range,
  group_by: Type.Optional(Type.Enum(MESSAGE_GROUPS, GROUP_BY)),
  phone_number_id: Type.Optional(Type.String({ maxLength: 40, description: "The id of one of your phone numbers." })),
});
export type MessageMetricsQuery = Static<typeof MessageMetricsQuery>;

const DeliveryMetric = Type.Object(
  {
    ...at,
    status: of(Type.Enum(["succeeded", "failed"]), "How the attempts ended."),
    webhook_endpoint_id: of(idSchema("whe"), "The endpoint that was called."),
    count: Type.Integer({ description: "Attempts that began in the interval." }),
    ...time("how long the attempts took."),
  },
  { $id: "DeliveryMetric", description: "Attempts in an interval, which begins at `at` in UTC." },
);
export type DeliveryMetric = Static<typeof DeliveryMetric>;

export const DeliveryMetrics = Type.Object(
  { data: Type.Array(DeliveryMetric) },
  {
    $id: "DeliveryMetrics",
    examples: [{ data: [{ at: "2026-01-31T09:00:00.000Z", count: 3540, p50_ms: 84, p95_ms: 310 }] }],
  },
);
export type DeliveryMetrics = Static<typeof DeliveryMetrics>;

export const DeliveryMetricsQuery = Type.Object({
  ...range,
  group_by: Type.Optional(Type.Enum(["status", "webhook_endpoint_id"], GROUP_BY)),
  webhook_endpoint_id: Type.Optional(Type.String({ maxLength: 40, description: "The id of one of your endpoints." })),
});
export type DeliveryMetricsQuery = Static<typeof DeliveryMetricsQuery>;

export type RangeQuery = Pick<MessageMetricsQuery, "at_after" | "at_before" | "interval">;
