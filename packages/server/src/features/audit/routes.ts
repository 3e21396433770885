import { listOf } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { listActivity } from "./activity.ts";
import { ActivityQuery, AuditActivity } from "./schema.ts";

const shapes = { status: 200, query: ActivityQuery, response: listOf(AuditActivity) };

export const auditRoutes = (): AnyRoute[] => [
  route({
    ...shapes,
    kind: "read",
    method: "GET",
    path: "/v1/audit/activity",
    auth: "workspace",
    scope: "audit:read",
    tag: "Audit",
    summary: "List API calls",
    description:
      "Every call with a key of this workspace, denied ones too. Changes are here at once, reads and refusals within a second. Answers are JSON whatever `Accept` asks for; there is no `text/csv` yet.",
    action: "audit.list",
    verb: listActivity,
  }),
  route({
    ...shapes,
    kind: "read",
    method: "GET",
    path: "/admin/v1/audit",
    auth: "operator",
    tag: "Operator",
    summary: "List the operator's calls and those without a valid key",
    description:
      "Calls with the operator key, and the first 20 a minute and address without a valid one. Answers are JSON whatever `Accept` asks for.",
    action: "audit.list",
    verb: listActivity,
  }),
];
