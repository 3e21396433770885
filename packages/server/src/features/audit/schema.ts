import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/nullable.ts";
import { listQuery } from "../../http/pagination.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";

const EXAMPLE = {
  id: "aud_01jd0000000000000000000000",
  at: "2026-01-31T09:30:00.000Z",
  actor: { type: "api_key", id: "key_01jd0000000000000000000000", name: "Shop backend" },
  action: "webhook_endpoint.rotate_secret",
  resource: { type: "webhook_endpoint", id: "whe_01jd0000000000000000000000" },
  request: {
    method: "POST",
    path: "/v1/webhook-endpoints/whe_01jd0000000000000000000000/rotate-secret",
    request_id: "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1",
    ip: "192.0.2.17",
    user_agent: "curl/8.5.0",
  },
  response: { status: 200, code: null },
  changes: { overlap_seconds: 86_400 },
};

/** One API call. */
export const AuditActivity = Type.Object(
  {
    id: idSchema("aud"),
    at: timestampOutput(),
    actor: Type.Object({
      type: Type.String({ description: "api_key, operator, system or anonymous" }),
      id: nullable(Type.String()),
      name: nullable(Type.String()),
    }),
    action: Type.String({ examples: ["message.create"] }),
    resource: Type.Object({ type: nullable(Type.String()), id: nullable(Type.String()) }),
    request: Type.Object({
      method: nullable(Type.String()),
      path: nullable(Type.String()),
      request_id: nullable(Type.String()),
      ip: nullable(Type.String()),
      user_agent: nullable(Type.String()),
    }),
    response: Type.Object({
      status: nullable(Type.Integer()),
      code: nullable(Type.String(), "Error code; null for a success"),
    }),
    changes: Type.Unsafe<unknown>({
      type: ["object", "null"],
      additionalProperties: true,
      description: "What the call changed, without secrets, in fields of the action's own; null when nothing",
    }),
  },
  { $id: "AuditActivity", examples: [EXAMPLE] },
);
export type AuditActivity = Static<typeof AuditActivity>;

const LONGEST_FILTER = 100;
const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_FILTER, description }));

export const ActivityQuery = Type.Object({
  ...listQuery,
  actor: filter("A key's id, or a type of actor: `api_key`, `operator`, `anonymous`, `system`"),
  action: filter("Such as `message.create`"),
  resource: filter("A resource's id, or a type such as `message`"),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "Status of the answer" })),
  at_after: Type.Optional(timestampInput("At this time or later")),
  at_before: Type.Optional(timestampInput("Before this time")),
});
export type ActivityQuery = Static<typeof ActivityQuery>;
