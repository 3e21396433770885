import { callWithin, type Sql } from "../../../db/database.ts";
import { hotFunction } from "../../../db/hot-function.ts";
import { EVENT_VARIABLES, emitEvent } from "./event.sql.ts";

/** The event step by itself, for those who have no database function of their own. */
export const emitEvents = hotFunction({
  name: "emit_events",
  returns: "id uuid",
  declare: `${EVENT_VARIABLES}
  r record;`,
  body: `
for r in select x.* from json_to_recordset(rows) as x(workspace_id uuid, kind text, contact_id uuid, resource_id uuid, state json, conversation text) loop
  ${emitEvent({
    workspace: "r.workspace_id",
    kind: "r.kind",
    contact: "r.contact_id",
    resource: "r.resource_id",
    occurredAt: "now",
    state: "r.state",
    conversation: "hashtextextended(r.conversation, 0)",
  })}
  return query select event_id;
end loop;`,
});

export type EventRow = {
  kind: string;
  contact_id: string | null;
  resource_id: string | null;
  state: object;
  conversation: string;
};

/** Writes the event, and a queue row for each endpoint that listens. */
export async function insertEvent(sql: Sql, workspaceId: string, row: EventRow, now: number): Promise<void> {
  await callWithin(sql, emitEvents, [{ ...row, workspace_id: workspaceId }], now);
}
