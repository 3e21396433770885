import { lookUp } from "../../../db/hot-function.ts";
import { emitEvent } from "../../events/event.sql.ts";

/** Columns of a number as it is returned. */
export const NUMBER_COLUMNS = [
  "id",
  "business_account_id",
  "provider_phone_number_id",
  "phone",
  "verified_name",
  "quality",
  "status",
  "throughput_per_second",
  "description",
  "is_default",
  "marketing_stopped_until",
] as const;

/** SQLSTATE of a call about a number that its workspace does not have any more: another has connected it since the caller looked. */
export const NUMBER_MOVED = "WP001";
export const RAISE_MOVED = `raise exception 'the number has moved to another workspace' using errcode = '${NUMBER_MOVED}';`;
/** Refuses rows (a `from` list `x` with workspace_id and phone_number_id) of which a number is another workspace's, or of none, by now. */
export const refuseMoved = (rows: string): string => `
if exists (
  select from (select distinct x.workspace_id, x.phone_number_id from ${rows}) x
  ${lookUp("n", "select n.provider_phone_number_id from phone_number n where n.workspace_id = x.workspace_id and n.id = x.phone_number_id")}
  ${lookUp("o", "select o.workspace_id from phone_number_route o where o.provider_phone_number_id = n.provider_phone_number_id")}
  where o.workspace_id is distinct from x.workspace_id
) then ${RAISE_MOVED} end if;`;

/**
 * The event step for a number that changed: `number` is a record of its row, `changed` SQL for a JSON list of what did, `limit` SQL
 * for a new messaging limit, null for none.
 */
export const numberChanged = (number: string, changed: string, limit?: string): string =>
  emitEvent({
    workspace: `${number}.workspace_id`,
    kind: "'phone_number_changed'",
    resource: `${number}.id`,
    phoneNumber: `${number}.id`,
    occurredAt: "now",
    state: `json_build_object('phone_number', json_build_object(${NUMBER_COLUMNS.map(
      (column) => `'${column}', ${number}.${column}`,
    ).join(", ")}), 'changed', ${changed}::json${limit === undefined ? "" : `, 'messaging_limit', ${limit}`})`,
    conversation: `hashtextextended(${number}.id::text, 0)`,
  });
