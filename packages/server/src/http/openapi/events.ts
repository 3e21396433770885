import { Type } from "typebox";
import type { Declared, DeclaredEvents } from "../declared.ts";
import { idSchema } from "../ids.ts";
import type { Schema } from "../route.ts";
import { timestampOutput } from "../timestamps.ts";
import { componentSchema, type Definitions } from "./schema-parts.ts";
import { prepareParts } from "./schemas.ts";
import type { SharedParts } from "./shared-parts.ts";

/** The part of the document about deliveries: an operation for each kind of event, and the schemas of their bodies. */
export type DescribedEvents = { webhooks: Schema; schemas: Schema };

/** Describes the events that endpoints receive. `table` has the definitions of the routes: what these name is not repeated. */
export function describeEvents({ events, lists }: Declared, table: Definitions, shared: SharedParts): DescribedEvents {
  if (events.length === 0) return { webhooks: {}, schemas: {} };
  const { definitions } = prepareParts(events.map(bodyOf), lists);
  const all = new Map([...table, ...definitions.map((one) => [String(one["$id"]), one] as const)]);
  const added = definitions.map((one) => String(one["$id"])).filter((name) => !table.has(name));
  return {
    webhooks: Object.fromEntries(
      events.flatMap((shape) =>
        Object.entries(shape.means).map(([kind, means]) => [kind, describe(shape, kind, means, shared)]),
      ),
    ),
    schemas: Object.fromEntries(added.map((name) => [name, componentSchema(all.get(name) ?? {}, all)])),
  };
}

const refOf = (name: string): string => `#/components/schemas/${name}`;

const bodyOf = ({ name, category, means, data }: DeclaredEvents) =>
  Type.Object(
    {
      id: idSchema("evt", "Stays the same over all attempts and replays: use it to do nothing twice."),
      kind: Type.Enum(Object.keys(means)),
      category: Type.Literal(category),
      workspace_id: idSchema("ws"),
      created_at: timestampOutput(),
      sequence: Type.Integer({
        minimum: 1,
        description:
          "The order of events within a conversation: a later one has a larger number. Gaps have no meaning.",
      }),
      data,
      truncated: Type.Optional(
        Type.Boolean({
          description:
            "True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content.",
        }),
      ),
    },
    {
      $id: name,
      description: Object.entries(means)
        .map(([kind, text]) => `\`${kind}\`: ${text}`)
        .join(" "),
    },
  );

const ENVELOPE = {
  id: "evt_01jd0000000000000000000000",
  workspace_id: "ws_01jd0000000000000000000000",
  created_at: "2026-01-31T09:31:07.000Z",
  sequence: 4211,
};

/** An event of this kind, as an example. */
export const exampleOf = ({ category, example }: DeclaredEvents, kind: string): object => {
  const { id, ...rest } = ENVELOPE;
  return { id, kind, category, ...rest, data: example(kind) };
};

const describe = (shape: DeclaredEvents, kind: string, means: string, shared: SharedParts): Schema => ({
  post: {
    operationId: `webhook.${kind.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())}`,
    tags: ["Webhooks"],
    summary: `Event ${kind}`,
    description: means,
    security: [],
    parameters: Object.entries(HEADERS).map(([name, part]) => shared.refer("parameters", name, part)),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          // The shape has several kinds, this operation one.
          schema: { allOf: [{ $ref: refOf(shape.name) }, { properties: { kind: { const: kind } } }] },
          example: exampleOf(shape, kind),
        },
      },
    },
    responses: {
      "2XX": shared.refer("responses", "DeliveryReceived", {
        description: "Received. Anything else, or nothing in time, is tried again.",
      }),
      "410": shared.refer("responses", "EndpointGone", {
        description: "The endpoint is gone: it is disabled at once.",
      }),
    },
  },
});

const header = (name: string, example: string, description: string, required = true): Schema => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string" },
  example,
});

/** By the names of the document's parts. */
const HEADERS = {
  ServiceSignature: header(
    "X-Service-Signature",
    "t=1769851867,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
    "`t`: the time of the attempt in Unix seconds. Each `v1`: HMAC-SHA256 of `t`, a dot and the body with a secret of the endpoint, in hex.",
  ),
  WebhookId: header("webhook-id", ENVELOPE.id, "The id of the event."),
  WebhookTimestamp: header("webhook-timestamp", "1769851867", "The time of the attempt in Unix seconds."),
  WebhookSignature: header(
    "webhook-signature",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    "The signatures of Standard Webhooks, one for each secret, with spaces between them.",
  ),
  ServiceEvent: header("X-Service-Event", "delivered", "The kind of the event."),
  ServiceDelivery: header("X-Service-Delivery", "dlv_01jd0000000000000000000000", "The id of the delivery."),
  ServiceAttempt: header("X-Service-Attempt", "1", "The number of the attempt, from 1."),
};
