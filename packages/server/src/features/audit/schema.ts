import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listQuery } from "../../http/pagination.ts";
import { nullable } from "../../http/schema-types.ts";
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
    session: null,
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
      type: Type.String({ description: "The type of the actor: api_key, operator, setup_link, system or anonymous." }),
      id: nullable(Type.String()),
      name: nullable(Type.String()),
    }),
    action: Type.String({ examples: ["message.create"] }),
    resource: Type.Object({ type: nullable(Type.String()), id: nullable(Type.String()) }),
    request: Type.Object({
      method: nullable(Type.String()),
      path: nullable(Type.String()),
      request_id: nullable(Type.String()),
      session: nullable(
        Type.String(),
        "Id of the console's session by which the call came; null if it came with a key.",
      ),
      ip: nullable(Type.String()),
      user_agent: nullable(Type.String()),
    }),
    response: Type.Object({
      status: nullable(Type.Integer()),
      code: nullable(Type.String(), "The error code; null if the call succeeded."),
    }),
    changes: Type.Unsafe<unknown>({
      type: ["object", "null"],
      additionalProperties: true,
      description: "What the call changed, without secrets; its fields depend on the action. Null if nothing changed.",
    }),
  },
  { $id: "AuditActivity", examples: [EXAMPLE] },
);
export type AuditActivity = Static<typeof AuditActivity>;

/** A user id of a linked portfolio is the longest. */
const LONGEST_FILTER = 150;
/** A filter by an id, a type or a name. */
export const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_FILTER, description }));

export const ActivityQuery = Type.Object({
  ...listQuery,
  actor: filter(
    "The id of an API key or of a setup link, or a type of actor: `api_key`, `operator`, `setup_link`, `anonymous` or `system`.",
  ),
  action: filter("The action, such as `message.create`."),
  resource: filter("The id of a resource, or a type of resource such as `message`."),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "The HTTP status of the response." })),
  at_after: Type.Optional(timestampInput("Only calls at this time or later.")),
  at_before: Type.Optional(timestampInput("Only calls before this time.")),
});
export type ActivityQuery = Static<typeof ActivityQuery>;
