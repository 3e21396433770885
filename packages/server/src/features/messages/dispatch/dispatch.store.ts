import {
  type AnswerOf,
  changeLocked,
  columns,
  each,
  hotFunction,
  inSpan,
  lookUp,
  of,
  type RowOf,
  recordset,
} from "../../../db/hot-function.ts";
import { deleteRows } from "../../../lanes/finished-rows.sql.ts";
import { LANE_KINDS, READY, STARTED, UNKNOWN } from "../../../lanes/lane-kinds.ts";
import { defineQueue, lockQueue } from "../../../lanes/queue.ts";
import { SLOTS_FILLED, SLOTS_MASK, SLOTS_OF_EVENTS } from "../../webhooks/event.sql.ts";
import { applyParked, PARKED_VARIABLES, takeParked } from "../callbacks/status.store.ts";
import { applyReports, lockStates, SEEN_BEFORE, windowClosed } from "../message.sql.ts";
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

/** The queue row of `x`, a row of the call, by its key. */
const queueRow = (x: string): string =>
  `d.slot = ${x}.slot and d.seq = ${x}.seq and d.workspace_id = ${x}.workspace_id`;

/**
 * Begins attempts: the only thing that allows a send. A compare-and-set of `attempt` under the slot's epoch, committed
 * before the first byte leaves, so at most one attempt (message, n) ever exists, whatever leases and clocks do. It changes
 * no indexed column. The answer holds the message too: one round trip a batch of sends.
 */
export const beginSends = hotFunction({
  name: "begin_sends",
  input: INTENT,
  answers: BEGUN,
  span: ({ message_id }) => [message_id],
  body: `
${lockQueue("dispatch")}
return query
  with given as materialized (
    select x.*, m.type as message_type, m.content as message_content, m.recipient as phone, c.user_id,
      case when m.reply_to is not null then quoted_provider_id(x.workspace_id, m.reply_to) end as quoted, s.owner is not null and m.type is not null as is_ours,
      m.type <> 'template' and ${windowClosed("v.last_inbound_at", "now")} as is_closed
    from ${INTENTS}
    ${lookUp(
      "s",
      `
      select s.owner from slot s
      where s.kind = ${LANE_KINDS.dispatch} and s.slot = x.slot and s.owner = x.worker and s.epoch = x.epoch`,
    )}
    ${lookUp("m", `select m.* from message m where m.workspace_id = x.workspace_id and m.id = x.message_id and ${inSpan("m.id")}`)}
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
    )}),
  -- Only one transaction changes a row at a time: what is found here is what is changed.
  found as materialized (
    select d.*, x.ordinality, x.worker as new_worker from given x
    ${each(
      "d",
      `
      select d.* from dispatch d
      where x.is_ours and not x.is_closed and ${queueRow("x")} and d.attempt = x.attempt and d.state = x.state
      for no key update`,
    )}),
  begun as (
    insert into dispatch (slot, lane, due, seq, workspace_id, message_id, recipient, expires_at, attempt, state, worker,
      started_at) overriding system value
    select d.slot, d.lane, d.due, d.seq, d.workspace_id, d.message_id, d.recipient, d.expires_at, d.attempt + 1,
      ${STARTED}, d.new_worker, now
    from found d order by d.ordinality
    ${changeLocked("slot, seq, workspace_id", ["attempt", "state", "worker", "started_at"])}),
  judged as materialized (
    select x.*, case when not x.is_ours then 'no' when x.is_closed then 'window_closed'
      when x.ordinality = any((select array_agg(d.ordinality) from found d)::bigint[]) or e.is_begun then 'go'
      else 'no' end as verdict
    from given x
    -- An earlier call may have committed: the attempt that it began is this worker's, and unsent.
    ${lookUp(
      "e",
      `
      select true as is_begun from dispatch d
      where (again or x.asked) and ${queueRow("x")} and d.attempt = x.attempt + 1 and d.state = ${STARTED}
        and d.worker = x.worker`,
    )})
  select x.verdict, x.message_type, case when x.verdict = 'go' then x.message_content::text end, x.phone, x.user_id, x.quoted
  from judged x
  order by x.ordinality;`,
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

const BIT_OF_OUTCOME = `case x.outcome
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
  span: ({ message_id }) => [message_id],
  answers: columns({
    /** The queue row is gone; else it waits for its `due`. */
    done: "boolean",
    slots_mask: "text",
  }),
  declare: `${SLOTS_FILLED}${PARKED_VARIABLES}
  r record;
  dones boolean[];
  resends boolean[];
  has_parked boolean;
  ended_slot smallint[];
  ended_workspace uuid[];
  ended_seq bigint[];`,
  body: `
with given as materialized (select x.*, ${BIT_OF_OUTCOME} as bit, null::json as pricing from ${RESULTS}),
${lockStates("given")},
doubted as materialized (
  -- A callback, or a late answer, may have settled a lost answer already.
  select x.*, x.outcome in ('unknown', 'silence') and coalesce(${SEEN_BEFORE} & ${EVIDENCE_BITS} <> 0, false) as is_known,
    x.outcome = 'silence' and coalesce(m.resend_once and not (x.state).possible_duplicate, false) as may_resend
  from locked x
  ${lookUp(
    "m",
    `
    select m.resend_once from message m
    where x.outcome = 'silence' and m.workspace_id = x.workspace_id and m.id = x.message_id and ${inSpan("m.id")}`,
  )}),
decided as materialized (
  select x.*, x.may_resend and not x.is_known as is_resent,
    x.is_known or x.outcome in ('accepted', 'failed', 'expired') or (x.outcome = 'silence' and not x.may_resend) as is_done
  from doubted x),
reports as materialized (
  select x.workspace_id, x.message_id, x.at, x.error, x.pricing, x.provider_message_id, x.ordinality, x.state,
    case when not x.is_known and not x.is_resent then x.bit end as bit
  from decided x),
${applyReports("reports")},
named as (
  insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
  select x.workspace_id, x.provider_message_id, x.message_id, now
  from decided x
  where x.provider_message_id is not null
  order by x.ordinality
  on conflict do nothing),
tried as (
  insert into attempt (workspace_id, message_id, attempt, completed_at, outcome, provider_message_id, error)
  select x.workspace_id, x.message_id, x.attempt, x.at, x.outcome, x.provider_message_id, x.error
  from decided x
  where x.attempt > 0 and x.outcome in ('accepted', 'failed', 'unknown', 'retry')
  order by x.ordinality
  on conflict do nothing)
select array_agg(x.is_done order by x.ordinality), array_agg(x.is_resent order by x.ordinality),
  bool_or(w.is_parked), slots_filled | ${SLOTS_OF_EVENTS}, array_agg(d.slot), array_agg(d.workspace_id), array_agg(d.seq)
into dones, resends, has_parked, slots_filled, ended_slot, ended_workspace, ended_seq
from decided x
${lookUp(
  "d",
  `
  select d.slot, d.workspace_id, d.seq from dispatch d
  where x.is_done and ${queueRow("x")} and d.attempt = x.attempt
  for update`,
)}
${lookUp(
  "w",
  `
  select true as is_parked from parked_status w
  where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id limit 1`,
)};
if has_parked then
  for r in select x.workspace_id, x.message_id, x.provider_message_id from ${RESULTS} order by x.ordinality loop
    ${takeParked("r.workspace_id", "r.provider_message_id", "r.message_id")}
  end loop;
  with ${applyParked}
  select slots_filled | ${SLOTS_OF_EVENTS} into slots_filled;
end if;
${deleteRows("dispatch", "ended")}
if false = any(dones) then
  for r in select x.* from ${RESULTS} where not dones[x.ordinality] order by x.ordinality loop
    if r.outcome = 'unknown' then
      update dispatch d set state = ${UNKNOWN}, due = r.due
      where ${queueRow("r")} and d.attempt = r.attempt and d.state = ${STARTED};
    elsif resends[r.ordinality] then
      update message_state s set possible_duplicate = true
      where s.workspace_id = r.workspace_id and s.id = r.message_id;
      update dispatch d set state = ${READY}, due = now
      where ${queueRow("r")} and d.attempt = r.attempt and d.state = ${UNKNOWN};
    else
      update dispatch d set state = ${READY}, due = r.due
      where ${queueRow("r")} and d.attempt = r.attempt
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
    end if;
  end loop;
end if;
return query select u.done, ${SLOTS_MASK} from unnest(dones) with ordinality u(done, n) order by u.n;`,
});
