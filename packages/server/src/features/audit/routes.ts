import { listOf } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { ACTIVITY_ROWS, listActivity } from "./activity.ts";
import { ActivityQuery, AuditActivity } from "./schema.ts";

export const AUDIT_ROUTES: readonly AnyRoute[] = [
  route({
    tag: "Audit",
    auth: "workspace",
    scope: "audit:read",
    kind: "read",
    method: "GET",
    path: "/v1/audit/activity",
    searches: true,
    summary: "List API calls",
    description:
      "Every call with an API key of this workspace, including denied calls. Changes are listed immediately, reads and refusals within a second. Where few of very many calls fit the filters, a page may have fewer than its limit, or none: follow `next_cursor` until it is null. With an `Accept` of `text/csv` or `application/x-ndjson` the whole filtered range is streamed.",
    action: "audit.list",
    query: ActivityQuery,
    status: 200,
    response: listOf(AuditActivity),
    verb: listActivity,
    rows: ACTIVITY_ROWS,
  }),
  route({
    tag: "Operator",
    auth: "operator",
    kind: "read",
    method: "GET",
    path: "/admin/v1/audit",
    searches: true,
    summary: "List the operator's calls and calls without a valid key",
    description:
      "Calls with the operator key, and calls without a valid key: the first 20 per minute and address. With an `Accept` of `text/csv` or `application/x-ndjson` the whole filtered range is streamed.",
    action: "audit.list",
    query: ActivityQuery,
    status: 200,
    response: listOf(AuditActivity),
    verb: listActivity,
    rows: ACTIVITY_ROWS,
  }),
];
