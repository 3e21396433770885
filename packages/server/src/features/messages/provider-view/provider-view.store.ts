import type { Sql } from "../../../db/database.ts";
import { STARTED } from "../../../lanes/lane-kinds.ts";
import { uuidFloor } from "../../../lib/ids.ts";
import type { JsonRow } from "../../events/event-groups.ts";
import { wireForm } from "../../identity/identifiers.sql.ts";
import { mediaLastAtNumber } from "../../media/media-of-sends.sql.ts";
import type { MessageError } from "../message-error.ts";

export type AttemptRow = {
  attempt: number;
  /** Of an attempt that is under way; not kept of others. */
  started_at: Date | null;
  completed_at: Date | null;
  outcome: "accepted" | "failed" | "retry" | "unknown" | null;
  provider_message_id: string | null;
  error: MessageError | null;
};

/** Attempts of one message that are shown, the latest: a throttled one may have some ninety. */
const MOST_ATTEMPTS = 100;

/** Newest first; one that is under way has no outcome. */
export const selectAttemptRows = (sql: Sql, workspaceId: string, id: string): Promise<AttemptRow[]> =>
  sql.query<AttemptRow>(
    `select d.attempt, d.started_at, null::timestamptz as completed_at, null::text as outcome, null::text as provider_message_id,
       null::json as error
     from message_state s
     join dispatch d on d.slot = s.slot and d.seq = s.seq and d.workspace_id = s.workspace_id
     where s.workspace_id = $1 and s.id = $2 and d.state = ${STARTED}
       and not exists (
         select from attempt a where a.workspace_id = $1 and a.message_id = $2 and a.attempt = d.attempt)
     union all (
       select a.attempt, null, a.completed_at, a.outcome, a.provider_message_id, a.error from attempt a
       where a.workspace_id = $1 and a.message_id = $2
       order by a.attempt desc limit ${MOST_ATTEMPTS})
     order by attempt desc`,
    [workspaceId, id],
  );

/** What a send of the message is written from, as `begin_sends` gives it. */
export type SentRow = {
  provider_phone_number_id: string;
  messaging_account_id: string | null;
  /** E.164 with `+`; null: `user_id` is used. */
  recipient: string | null;
  user_id: string | null;
  reply_to_provider_id: string | null;
  files: Record<string, string> | null;
};

/** Null where the number or the person is gone. */
export async function selectSentRow(sql: Sql, workspaceId: string, id: string): Promise<SentRow | null> {
  const rows = await sql.query<SentRow>(
    `select n.provider_phone_number_id, b.messaging_account_id, p.phone as recipient,
       case when p.phone is null then user_id_for(m.workspace_id, c.id, m.phone_number_id) end as user_id,
       case when m.reply_to is not null then quoted_provider_id(m.workspace_id, m.reply_to) end as reply_to_provider_id,
       case when m.media is not null then ${mediaLastAtNumber({ workspace: "m.workspace_id", ids: "m.media", phoneNumber: "m.phone_number_id" })} end as files
     from message m
     join phone_number n on n.workspace_id = m.workspace_id and n.id = m.phone_number_id
     join business_account b on b.workspace_id = n.workspace_id and b.id = n.business_account_id
     join contact o on o.workspace_id = m.workspace_id and o.id = m.contact_id
     join contact c on c.workspace_id = m.workspace_id and c.id = coalesce(o.merged_into, o.id)
     cross join lateral (select ${wireForm("c", "m.workspace_id", "m.recipient")} as phone) p
     where m.workspace_id = $1 and m.id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

export type ReportRow = {
  id: string;
  kind: string;
  occurred_at: Date;
  created_at: Date;
  state: JsonRow | null;
  callback_id: string;
  provider_phone_number_id: string;
  phone: string | null;
  provider_account_id: string | null;
};

/** An event is written by the call that writes what it reports, and its id begins with the millisecond of that. */
const AROUND_MS = 1;

/** Events of a message that a raw callback has reported, in their order; `written`: when something was reported of it. */
export const selectReportRows = (
  sql: Sql,
  workspaceId: string,
  id: string,
  written: readonly Date[],
): Promise<ReportRow[]> => {
  const times = [...new Set(written.map((time) => time.getTime()))];
  return sql.query<ReportRow>(
    `select distinct on (e.id) e.id, e.kind, e.occurred_at, e.created_at, e.state, e.callback_id,
       n.provider_phone_number_id, n.phone, b.provider_account_id
     from unnest($3::uuid[], $4::uuid[]) t(lowest, below)
     cross join lateral (
       select v.* from event v
       where v.workspace_id = $1 and v.id >= t.lowest and v.id < t.below and v.message_id = $2 and v.callback_id is not null
       offset 0) e
     join message m on m.workspace_id = $1 and m.id = $2
     join phone_number n on n.workspace_id = $1 and n.id = m.phone_number_id
     join business_account b on b.workspace_id = $1 and b.id = n.business_account_id
     order by e.id`,
    [
      workspaceId,
      id,
      times.map((time) => uuidFloor(time - AROUND_MS)),
      times.map((time) => uuidFloor(time + AROUND_MS + 1)),
    ],
  );
};
