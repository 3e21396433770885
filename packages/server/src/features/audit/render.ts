import { actorId } from "../../http/caller.ts";
import { formatId } from "../../lib/ids.ts";
import type { AuditActivity } from "./schema.ts";
import type { StoredActivity } from "./store.ts";

/** A row of `audit` as the API returns it. */
export const renderActivity = (row: StoredActivity): AuditActivity => ({
  id: formatId("aud", row.id),
  at: row.at.toISOString(),
  actor: {
    type: row.actor_type,
    id: actorId({ type: row.actor_type, id: row.actor_id }),
    name: row.actor_name,
  },
  action: row.action,
  resource: { type: row.resource_type, id: row.resource_id },
  request: {
    method: row.method,
    path: row.path,
    request_id: row.request_id,
    session: row.session === null ? null : formatId("ses", row.session),
    ip: row.ip,
    user_agent: row.user_agent,
  },
  response: { status: row.status, code: row.code },
  changes: shownChanges(row.changes),
});

/** Rows of `template.sync` of earlier versions have the array of accounts itself. */
const shownChanges = (changes: StoredActivity["changes"]): AuditActivity["changes"] =>
  Array.isArray(changes) ? { accounts: changes } : (changes ?? null);
