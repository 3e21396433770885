import { listOf } from "../../../http/pagination.ts";
import { type AnyRoute, route } from "../../../http/route.ts";
import { listMessageLog, MESSAGE_LOG_ROWS } from "./message-log.ts";
import { AuditMessage, MessageLogQuery } from "./schema.ts";

export const MESSAGE_LOG_ROUTES: readonly AnyRoute[] = [
  route({
    tag: "Audit",
    auth: "workspace",
    scope: "audit:read",
    limitedKeys: "own",
    kind: "read",
    method: "GET",
    path: "/v1/audit/messages",
    searches: true,
    summary: "List what happened to messages",
    description:
      "Each message when it was accepted or received, each attempt that was refused and is tried again, and each status when it was reported, newest first, for as long as messages are kept. With an `Accept` of `text/csv` or `application/x-ndjson` the whole filtered range is streamed.",
    action: "audit.list",
    query: MessageLogQuery,
    status: 200,
    response: listOf(AuditMessage),
    verb: listMessageLog,
    rows: MESSAGE_LOG_ROWS,
  }),
];
