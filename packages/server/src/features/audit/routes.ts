import { listOf } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { listActivity } from "./activity.ts";
import { ActivityQuery, AuditActivity } from "./schema.ts";

export const AUDIT_ROUTES: readonly AnyRoute[] = [
  route({
    tag: "Audit",
    auth: "workspace",
    scope: "audit:read",
    kind: "read",
    method: "GET",
    path: "/v1/audit/activity",
    summary: "List API calls",
    description:
      "Every call with an API key of this workspace, including denied calls. Changes are listed immediately, reads and refusals within a second. The response is JSON whatever `Accept` asks for; `text/csv` is not supported yet.",
    action: "audit.list",
    query: ActivityQuery,
    status: 200,
    response: listOf(AuditActivity),
    verb: listActivity,
  }),
  route({
    tag: "Operator",
    auth: "operator",
    kind: "read",
    method: "GET",
    path: "/admin/v1/audit",
    summary: "List the operator's calls and calls without a valid key",
    description:
      "Calls with the operator key, and calls without a valid key: the first 20 per minute and address. The response is JSON whatever `Accept` asks for.",
    action: "audit.list",
    query: ActivityQuery,
    status: 200,
    response: listOf(AuditActivity),
    verb: listActivity,
  }),
];
