import type { TxCtx } from "../../ctx.ts";
import { isAnyId } from "../../http/ids.ts";
import { type Page, pageRequest } from "../../http/pagination.ts";
import type { Answer } from "../../http/route.ts";
import { keysetPages, ROWS_A_PAGE, type RowStream } from "../../http/stream-rows.ts";
import { timeOf } from "../../http/timestamps.ts";
import { parseId } from "../../lib/ids.ts";
import { renderActivity } from "./render.ts";
import type { ActivityQuery, AuditActivity } from "./schema.ts";
import { type ActivityFilter, type ActivityRows, selectActivityRows } from "./store.ts";

/** Lists the API calls of the workspace; for the nil workspace, those of the operator and those without a valid key. */
export async function listActivity(
  ctx: TxCtx,
  { query }: { query: ActivityQuery },
): Promise<Answer<Page<AuditActivity>>> {
  const request = pageRequest(query);
  const filter = filterOf(query);
  const { rows, next } =
    filter === null ? NOTHING : await selectActivityRows(ctx.sql, ctx.workspaceId, filter, request);
  return { body: { data: rows.map(renderActivity), next_cursor: next } };
}

/** The same for a stream of the whole range. */
export const ACTIVITY_ROWS: RowStream<{ query: ActivityQuery }> = {
  columns: [
    "id",
    "at",
    "actor_type",
    "actor_id",
    "actor_name",
    "action",
    "resource_type",
    "resource_id",
    "method",
    "path",
    "request_id",
    "ip",
    "user_agent",
    "session",
    "status",
    "code",
    "changes",
  ],
  cells(row) {
    const { actor, resource, request, response, ...rest } = row as AuditActivity; // as `pages` gave it
    return {
      ...rest,
      ...prefixed("actor", actor),
      ...prefixed("resource", resource),
      ...request,
      ...response,
    };
  },
  pages(ctx, { query }) {
    const filter = filterOf(query);
    return keysetPages(ctx, async (sql, before: string | null) => {
      const request = { before, limit: ROWS_A_PAGE };
      const { rows, next } =
        filter === null ? NOTHING : await selectActivityRows(sql, ctx.workspaceId, filter, request);
      return { rows: rows.map(renderActivity), next };
    });
  },
};

const prefixed = (prefix: string, fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}_${name}`, value]));

const NOTHING: ActivityRows = { rows: [], next: null };

/** Null when nothing can match: an id of another kind counts as an unknown one. */
function filterOf(query: ActivityQuery): ActivityFilter | null {
  const actor = query.actor ?? null;
  const actorId = actor?.includes("_") && actor !== "api_key" ? (parseId("key", actor) ?? parseId("stl", actor)) : null;
  const actorType = actor !== null && actorId === null ? actor : null;
  const resource = query.resource ?? null;
  const resourceIsId = resource !== null && isAnyId(resource);
  const from = query.at_after === undefined ? null : timeOf(query.at_after, "?at_after");
  const to = query.at_before === undefined ? null : timeOf(query.at_before, "?at_before");
  if (from !== null && to !== null && from >= to) return null;
  return {
    actorType,
    actorId,
    action: query.action ?? null,
    resourceType: resourceIsId ? null : resource,
    resourceId: resourceIsId ? resource : null,
    status: query.status ?? null,
    from,
    to,
  };
}
