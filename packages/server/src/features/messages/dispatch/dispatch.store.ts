import {
  type AnswerOf,
  columns,
  each,
  hotFunction,
  lookUp,
  of,
  type RowOf,
  recordset,
} from "../../../db/hot-function.ts";
import { LANE_KINDS, READY, STARTED, UNKNOWN } from "../../../lanes/lane-kinds.ts";
import { defineQueue, lockQueue } from "../../../lanes/queue.ts";
import { SLOTS_FILLED, SLOTS_MASK } from "../../webhooks/event.sql.ts";
import { lockStates, reportStatus, STATUS_VARIABLES, windowClosed, writeReports } from "../message.sql.ts";
import { EVIDENCE_BITS, REPORTS } from "../status.ts";

export const dispatchQueue = defineQueue({
  kind: "dispatch",
  table: "dispatch",
  item: "message_id",
  key: "recipient",
  workspace: true,
  event: false,
  intents: true,
});

const INTENT = columns({
  slot: "smallint",
  seq: "bigint",
  workspace_id: "uuid",
  message_id: "uuid",
  attempt: "smallint",
  worker: "uuid",
  epoch: "int",
  state: "smallint",
  /** This attempt was asked for already, and whether it was begun is not known. */
  asked: "boolean",
});

const BEGUN = columns({
  /** `go`: the attempt is ours and may be written. `window_closed`: no attempt was begun. `no`: not ours, or gone. */
  outcome: of<"go" | "window_closed" | "no">("text"),
  type: "text",
  /** JSON text, as stored; only with `go`. */
  content: "text",
  recipient: "text?",
  user_id: "text?",
  reply_to_provider_id: "text?",
});
export type IntentAnswer = AnswerOf<typeof BEGUN>;

const INTENTS = recordset(INTENT);

/** The queue row of `r`, by its key. */
const QUEUE_ROW = "d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id";

/**
 * Begins attempts: the only thing that allows a send. A compare-and-set of `attempt` under the slot's epoch, committed
 * before the first byte leaves, so at most one attempt (message, n) ever exists, whatever leases and clocks do. It changes
 * no indexed column. The answer holds the message too: one round trip a batch of sends.
 */
export const beginSends = hotFunction({
  name: "begin_sends",
  input: INTENT,
  answers: BEGUN,
  declare: "r record; verdict text;",
  body: `
${lockQueue("dispatch")}
for r in
  select x.*, s.owner is not null as is_owner, m.type as message_type, m.content as message_content,
    m.recipient as phone, c.user_id, v.last_inbound_at, q.provider_message_id as quoted
  from ${INTENTS}
  ${lookUp(
    "s",
    `
    select s.owner from slot s
    where s.kind = ${LANE_KINDS.dispatch} and s.slot = x.slot and s.owner = x.worker and s.epoch = x.epoch`,
  )}
  ${lookUp("m", "select m.* from message m where m.workspace_id = x.workspace_id and m.id = x.message_id")}
  ${lookUp(
    "c",
    `
    select c.user_id from contact c
    where m.recipient is null and c.workspace_id = x.workspace_id and c.id = m.contact_id`,
  )}
  ${lookUp(
    "v",
    `
    select v.last_inbound_at from conversation v
    where m.type <> 'template' and v.workspace_id = x.workspace_id and v.contact_id = m.contact_id
      and v.phone_number_id = m.phone_number_id`,
  )}
  ${lookUp(
    "q",
    `
    select q.provider_message_id from message_state q
    where q.workspace_id = x.workspace_id and q.id = m.reply_to`,
  )}
  order by x.ordinality
loop
  verdict := 'no';
  if r.is_owner and r.message_type is not null then
    if r.message_type <> 'template' and ${windowClosed("r.last_inbound_at", "now")} then
      verdict := 'window_closed';
    else
      update dispatch d set attempt = d.attempt + 1, state = ${STARTED}, worker = r.worker, started_at = now
      where ${QUEUE_ROW} and d.attempt = r.attempt and d.state = r.state;
      if found then verdict := 'go';
      elsif again or r.asked then
        -- The earlier call may have committed: the attempt that it began is this worker's, and unsent.
        perform from dispatch d
        where ${QUEUE_ROW} and d.attempt = r.attempt + 1 and d.state = ${STARTED} and d.worker = r.worker;
        if found then verdict := 'go'; end if;
      end if;
    end if;
  end if;
  return query select verdict, r.message_type, case when verdict = 'go' then r.message_content::text end, r.phone, r.user_id,
    r.quoted;
end loop;`,
});

const SEND_RESULT = columns({
  slot: "smallint",
  seq: "bigint",
  workspace_id: "uuid",
  message_id: "uuid",
  /** The attempt this is evidence of; 0 when none was begun. */
  attempt: "smallint",
  /**
   * accepted, failed, expired: final here. unknown: the answer was lost. retry: a definite no that is tried again at `due`.
   * silence: ten minutes after a lost answer; reported once more, or sent once more where the message asked for that.
   * unwritten: `worker` asked for the attempt, does not know whether it was begun, and wrote nothing: ready again.
   */
  outcome: of<"accepted" | "failed" | "expired" | "unknown" | "silence" | "retry" | "unwritten">("text"),
  at: "timestamptz",
  provider_message_id: "text?",
  error: of<object>("json?"),
  due: "timestamptz?",
  lane: "int",
  recipient: "bigint",
  worker: "uuid?",
});
export type SendResultRow = RowOf<typeof SEND_RESULT>;
const RESULTS = recordset(SEND_RESULT);

const BIT_OF_OUTCOME = `case r.outcome
    when 'accepted' then ${REPORTS.accepted.bit} when 'failed' then ${REPORTS.failed.bit}
    when 'expired' then ${REPORTS.expired.bit} when 'unknown' then ${REPORTS.unknown.bit}
    when 'silence' then ${REPORTS.given_up.bit} end`;

/**
 * Stores the outcomes of sends. An outcome is evidence: it is taken twice, late, from any process, after an early callback
 * or after the row was settled as unknown; every step is conditional. Queue rows change only for the attempt that it is about.
 */
export const settleSends = hotFunction({
  name: "settle_sends",
  input: SEND_RESULT,
  answers: columns({
    /** The queue row is gone; else it waits for its `due`. */
    done: "boolean",
    slots_mask: "text",
  }),
  declare: `${SLOTS_FILLED}${STATUS_VARIABLES}
  r record;
  p record;
  bit int;
  known boolean;
  resend boolean;
  settled boolean[] := '{}';`,
  body: `
${lockStates(`select x.workspace_id, x.message_id as id from ${RESULTS}`)}
with result as materialized (select x.* from ${RESULTS}),
named as (
  insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
  select x.workspace_id, x.provider_message_id, x.message_id, now
  from result x
  where x.provider_message_id is not null
  order by x.ordinality
  on conflict do nothing)
insert into attempt (workspace_id, message_id, attempt, completed_at, outcome, provider_message_id, error)
select x.workspace_id, x.message_id, x.attempt, x.at, x.outcome, x.provider_message_id, x.error
from result x
where x.attempt > 0 and x.outcome in ('accepted', 'failed', 'unknown', 'retry')
order by x.ordinality
on conflict do nothing;

for r in select * from ${RESULTS} order by x.ordinality loop
  bit := ${BIT_OF_OUTCOME};
  known := false;
  resend := false;
  if r.outcome in ('unknown', 'silence') then
    -- A callback, or a late answer, may have settled it already.
    select s.seen & ${EVIDENCE_BITS} <> 0, r.outcome = 'silence' and m.resend_once and not s.possible_duplicate
    into known, resend
    from (
      select s.* from message_state s where s.workspace_id = r.workspace_id and s.id = r.message_id offset 0) s
    ${each("m", "select m.resend_once from message m where m.workspace_id = r.workspace_id and m.id = r.message_id")};
  end if;
  if bit is not null and not known and not resend then
    ${reportStatus({
      workspace: "r.workspace_id",
      message: "r.message_id",
      bit: "bit",
      at: "r.at",
      error: "r.error",
      providerMessageId: "r.provider_message_id",
      pricing: "null::json",
    })}
  end if;
  if r.provider_message_id is not null then
    for p in
      delete from parked_status w
      where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id
      returning w.*
    loop
      ${reportStatus({
        workspace: "r.workspace_id",
        message: "r.message_id",
        bit: "p.bit",
        at: "p.at",
        error: "p.error",
        providerMessageId: "r.provider_message_id",
        pricing: "p.pricing",
      })}
    end loop;
  end if;

  if known or r.outcome in ('accepted', 'failed', 'expired') or (r.outcome = 'silence' and not resend) then
    delete from dispatch d where ${QUEUE_ROW} and d.attempt = r.attempt;
    settled := array_append(settled, true);
  elsif r.outcome = 'unknown' then
    update dispatch d set state = ${UNKNOWN}, due = r.due
    where ${QUEUE_ROW} and d.attempt = r.attempt and d.state = ${STARTED};
    settled := array_append(settled, false);
  elsif resend then
    update message_state s set possible_duplicate = true
    where s.workspace_id = r.workspace_id and s.id = r.message_id;
    update dispatch d set state = ${READY}, due = now
    where ${QUEUE_ROW} and d.attempt = r.attempt and d.state = ${UNKNOWN};
    settled := array_append(settled, false);
  else
    update dispatch d set state = ${READY}, due = r.due
    where ${QUEUE_ROW} and d.attempt = r.attempt
      -- What its worker never wrote goes out, also when a new owner took it for lost; of another worker's attempt the
      -- request may still be under way.
      and case when r.outcome = 'unwritten' then d.worker = r.worker and d.state in (${STARTED}, ${UNKNOWN})
        else d.state in (${READY}, ${STARTED}) end;
    if found then
      insert into held (slot, lane, workspace_id, recipient, seq, until)
      values (r.slot, r.lane, r.workspace_id, r.recipient, r.seq, r.due)
      on conflict (slot, lane, recipient, workspace_id) do update set
        seq = excluded.seq, until = greatest(held.until, excluded.until);
    end if;
    settled := array_append(settled, false);
  end if;
end loop;
${writeReports}
return query select u.done, ${SLOTS_MASK} from unnest(settled) with ordinality u(done, n) order by u.n;`,
});
