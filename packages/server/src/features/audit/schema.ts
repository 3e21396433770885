import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listQuery } from "../../http/pagination.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";

const nullable = () => Type.Union([Type.String(), Type.Null()]);

/** One API call. */
export const AuditActivity = Type.Object(
  {
    id: idSchema("aud"),
    at: timestampOutput(),
    actor: Type.Object({
      type: Type.String({ description: "api_key, operator, system or anonymous" }),
      id: nullable(),
      name: nullable(),
    }),
    action: Type.String({ examples: ["message.create"] }),
    resource: Type.Object({ type: nullable(), id: nullable() }),
    request: Type.Object({
      method: nullable(),
      path: nullable(),
      request_id: nullable(),
      ip: nullable(),
      user_agent: nullable(),
    }),
    response: Type.Object({
      status: Type.Union([Type.Integer(), Type.Null()]),
      code: Type.Union([Type.String(), Type.Null()], { description: "Error code; null for a success" }),
    }),
    changes: Type.Unknown({ description: "What the call changed, without secrets; null when nothing" }),
  },
  { $id: "AuditActivity" },
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
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  at_after: Type.Optional(timestampInput("At this time or later")),
  at_before: Type.Optional(timestampInput("Before this time")),
});
export type ActivityQuery = Static<typeof ActivityQuery>;
