import type { Sql } from "../../../db/database.ts";
import { onlyRow } from "../../../db/only-row.ts";
import { REPORTS } from "../../threads/status.ts";

/** The workspace's newest messages that are looked through: a few milliseconds. */
const MOST_LOOKED_AT = 500;
/** Reports of which the provider alone knows. */
const BY_CALLBACK = [REPORTS.sent, REPORTS.delivered, REPORTS.read, REPORTS.played].map(({ bit }) => bit);

/** `seen_at`: of the last callback about a message of the number. `unreported`: messages that were accepted after it, and before `until`. */
export type SeenRow = { seen_at: Date | null; unreported: number };

/** What the newest messages say of the number's callbacks. */
export async function selectSeenRow(
  sql: Sql,
  workspaceId: string,
  phoneNumberId: string,
  until: Date,
): Promise<SeenRow> {
  const rows = await sql.query<SeenRow>(
    `with looked_at as (
       select m.id, m.outbound, m.phone_number_id, m.created_at from message m
       where m.workspace_id = $1 order by m.id desc limit ${MOST_LOOKED_AT}),
     reported as materialized (
       select s.accepted_at, case when m.outbound then h.received_at else m.created_at end as seen_at
       from looked_at m
       left join lateral (
         select s.accepted_at from message_state s where s.workspace_id = $1 and s.id = m.id offset 0) s on m.outbound
       left join lateral (
         select max(h.received_at) as received_at from history h
         where h.workspace_id = $1 and h.message_id = m.id and h.bit = any($3)) h on m.outbound
       where m.phone_number_id = $2)
     select x.seen_at, (
       select count(*)::int from reported t
       where t.seen_at is null and t.accepted_at < $4 and (x.seen_at is null or t.accepted_at > x.seen_at)) as unreported
     from (select max(t.seen_at) as seen_at from reported t) x`,
    [workspaceId, phoneNumberId, BY_CALLBACK, until],
  );
  return onlyRow(rows);
}
