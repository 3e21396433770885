import { type AnyRoute, route } from "../../http/route.ts";
import { Usage, UsageQuery } from "./schema.ts";
import { getUsage } from "./usage.ts";

export const USAGE_ROUTES: readonly AnyRoute[] = [
  route({
    tag: "Usage",
    auth: "workspace",
    scope: "messages:read",
    limitedKeys: "own",
    kind: "read",
    method: "GET",
    path: "/v1/usage",
    searches: true,
    summary: "Get usage by day",
    description:
      "Messages by day, direction, status, category and phone number, the latest day first; up to 366 days. New messages are counted within two minutes, and within six where there are many. Later changes of status, category and price move a message to another group: as soon while it is new, later once it is twice as old, and within four days; for 32 days.",
    operationId: "usage.get",
    action: "usage.read",
    query: UsageQuery,
    status: 200,
    response: Usage,
    verb: getUsage,
  }),
];
