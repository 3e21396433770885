import { callWithin } from "../../db/call-within.ts";
import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, of, type RowOf, recordset } from "../../db/hot-function.ts";
import { EVENT_VARIABLES, emitEvent } from "./event.sql.ts";

const EVENT = columns({
  workspace_id: "uuid",
  kind: "text",
  contact_id: "uuid?",
  message_id: "uuid?",
  resource_id: "uuid?",
  /** What it is about, for the limits of endpoints. */
  phone_number_id: "uuid?",
  business_account_id: "uuid?",
  state: of<object>("json"),
  /** Rows of one conversation keep their order at endpoints that ask for it. */
  conversation: "text",
  /** The raw callback that reported it. */
  callback_id: "uuid?",
  /** True: it is of an unlisted kind. */
  unlisted: "boolean?",
});
export type EventRow = Omit<RowOf<typeof EVENT>, "workspace_id">;

/** The event step by itself, for verbs without a database function of their own. */
export const emitEvents = hotFunction({
  name: "emit_events",
  input: EVENT,
  answers: columns({ id: "uuid" }),
  declare: `${EVENT_VARIABLES}
  r record;`,
  body: `
for r in select x.* from ${recordset(EVENT)} loop
  ${emitEvent({
    workspace: "r.workspace_id",
    kind: "r.kind",
    contact: "r.contact_id",
    message: "r.message_id",
    resource: "r.resource_id",
    phoneNumber: "r.phone_number_id",
    account: "r.business_account_id",
    occurredAt: "now",
    state: "r.state",
    conversation: "hashtextextended(r.conversation, 0)",
    callback: "r.callback_id",
    unlisted: "r.unlisted is true",
  })}
  return query select event_id;
end loop;`,
});

/** Writes the event, and a queue row for each endpoint that listens. */
export async function insertEventRow(sql: Sql, workspaceId: string, row: EventRow, now: number): Promise<void> {
  await callWithin(sql, emitEvents, [{ ...row, workspace_id: workspaceId }], now);
}
