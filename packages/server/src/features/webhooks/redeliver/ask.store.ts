import { columns, hotFunction, lookUp, of, recordset } from "../../../db/hot-function.ts";
import { slotOfLane } from "../../../lanes/lane-kinds.ts";
import { inLane, orderIn } from "../../../lanes/queue-sql.ts";
import { TEST_KIND } from "../operational-events.ts";

const ASK = columns({
  workspace_id: "uuid",
  endpoint_id: "uuid",
  lane: "int",
  delivery_id: "uuid",
  event_id: "uuid",
  replay_id: "uuid?",
  /** Statuses in which a delivery is opened again. */
  reopens: "text[]",
  /** One without a row is created; otherwise it is left alone. */
  creates: "boolean",
  /** One that waits for its next attempt is attempted now. */
  advances: "boolean",
  /** At an endpoint that keeps an order, it is attempted where it waits, and the later ones of its conversation are with it. */
  in_order: "boolean",
  /** It starts in turn with what replays have asked for, which may be much; otherwise after it, so that a conversation keeps its order. */
  ahead: "boolean",
});
/** Rows of a lane that a delivery which waits is looked for among, when it does not wait for the time that it was given. */
const LOOK = 20_000;
/** What falls due within this time is left to its lane, whose clock may be ahead. */
const SOON = "interval '2 seconds'";

const QUEUED = "slot, lane, due, workspace_id, delivery_id, event_id, conversation, attempt, replay_id";
/** The columns of a row that is asked for, of the event `e`. A test is in no order with others, which may have failed and wait. */
const queued = (r: string, e: string, attempt: string, replay: string): string => `
      ${slotOfLane(`${r}.lane`)}, ${r}.lane, case when ${r}.ahead then now else '-infinity' end, ${r}.workspace_id, ${r}.delivery_id, ${r}.event_id,
      hashtextextended(case when ${e}.kind = '${TEST_KIND}' then ${r}.event_id else coalesce(${e}.contact_id, ${e}.resource_id, ${r}.event_id) end::text, 0),
      ${attempt}, ${replay}`;
const insertAsked = (attempt: string, replay: string): string => `
    insert into redeliver (${QUEUED}) values (${queued("r", "e", attempt, replay)})
    on conflict do nothing;`;

/**
 * All rows together, as most are of replays: each is open, created or left alone by what its delivery is, and queued in the order of the
 * call.
 */
const ASK_TOGETHER = `
with asked as materialized (
  select x.*, e.kind, e.contact_id, e.resource_id, e.created_at, d.status from ${recordset(ASK)}
  ${lookUp(
    "e",
    `select v.kind, v.contact_id, v.resource_id, v.created_at from event v
    where v.workspace_id = x.workspace_id and v.id = x.event_id`,
  )}
  ${lookUp(
    "d",
    `select p.status from delivery p where p.workspace_id = x.workspace_id and p.id = x.delivery_id and e.kind is not null
    for no key update`,
  )}
  order by x.ordinality),
opened as (
  insert into delivery as p (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, next_attempt_at, created_at,
    completed_at, attempts)
  select a.workspace_id, a.delivery_id, a.event_id, a.endpoint_id, a.kind, 'pending', 0, now, a.created_at, null, '[]'
  from asked a where a.kind is not null and case when a.status is null then a.creates else a.status = any(a.reopens) end
  order by a.ordinality
  on conflict (workspace_id, id) do update set status = 'pending', next_attempt_at = excluded.next_attempt_at, completed_at = null
  where p.status in ('failed', 'succeeded')
  returning p.workspace_id, p.id),
judged as materialized (
  select a.*, (a.workspace_id, a.delivery_id) in (select o.workspace_id, o.id from opened o) as is_asked from asked a),
queued as (
  insert into redeliver (${QUEUED}) select ${queued("a", "a", "0", "a.replay_id")}
  from judged a where a.is_asked order by a.ordinality on conflict do nothing)
select array_agg(a.delivery_id order by a.ordinality), bool_or(a.advances),
  array_agg(case when a.is_asked then 'asked' when a.status in ('pending', 'parked') then 'open' else 'none' end order by a.ordinality)
  into ids, advance_some, outcomes from judged a;`;

/** Rows of a lane that lie ahead, the soonest first; SQL. */
const ahead = (table: string): string => `
            select f.slot, f.seq, f.workspace_id, f.delivery_id, f.conversation from ${table} f
            where ${inLane("f", slotOfLane("r.lane"), "r.lane")} and f.due > now + ${SOON} order by f.due, ${orderIn("f")} limit ${LOOK}`;

/**
 * Attempts the row `q` now, where it waits. Later rows of its conversation that were moved behind it come with it, and start when it has
 * succeeded: their lane finds them by the time of `advanceLane`.
 */
const advance = (table: string): string => `
        update ${table} p set due = now where p.slot = q.slot and p.seq = q.seq and p.workspace_id = r.workspace_id;
        if found then
          outcome := 'asked';
          update ${table} p set due = now from (${ahead(table)}) w
          where w.seq > q.seq and w.conversation = any(coalesce(joined_conversations(r.workspace_id, q.conversation), array[q.conversation]))
            and p.slot = w.slot and p.seq = w.seq and p.workspace_id = w.workspace_id;
        end if;`;

/**
 * Asks for attempts of deliveries, as a step of a transaction. A row of the queue that lies ahead is moved: nothing of it is in the memory
 * of its lane. One that was asked for already, or is about to be attempted, is left as it is.
 */
export const askRedeliveries = hotFunction({
  name: "ask_redeliveries",
  input: ASK,
  answers: columns({
    delivery_id: "uuid",
    /** `open`: it is or will be attempted without this call · `none`: there is nothing to attempt. */
    outcome: of<"asked" | "open" | "none">("text"),
  }),
  waits: true,
  declare: `r record;
  d record;
  e record;
  q record;
  ids uuid[];
  outcomes text[];
  outcome text;
  advance_some boolean;`,
  body: `${ASK_TOGETHER}
if advance_some then
  for r in select x.* from ${recordset(ASK)} where x.advances and outcomes[x.ordinality] = 'open' order by x.ordinality loop
    outcome := 'open';
    select v.id, v.kind, v.contact_id, v.resource_id into e from event v where v.workspace_id = r.workspace_id and v.id = r.event_id;
    select p.next_attempt_at into d from delivery p where p.workspace_id = r.workspace_id and p.id = r.delivery_id;
    select p.slot, p.seq, p.conversation into q from redeliver p
    where p.workspace_id = r.workspace_id and p.delivery_id = r.delivery_id and p.attempt >= 0 and p.due > now + ${SOON};
    if found and r.in_order then
      ${advance("redeliver")}
    elsif found then
      delete from redeliver p where p.slot = q.slot and p.seq = q.seq and p.workspace_id = r.workspace_id
      returning p.attempt, p.replay_id into q;
      if found then
        outcome := 'asked';
        ${insertAsked("q.attempt", "q.replay_id")}
      end if;
    else
      select p.slot, p.seq, p.conversation into q from deliver p
      where ${inLane("p", slotOfLane("r.lane"), "r.lane")} and p.due = d.next_attempt_at and p.due > now + ${SOON}
        and p.workspace_id = r.workspace_id and p.delivery_id = r.delivery_id limit 1;
      if not found then
        select p.slot, p.seq, p.conversation into q from (${ahead("deliver")}) p
        where p.workspace_id = r.workspace_id and p.delivery_id = r.delivery_id limit 1;
      end if;
      if found and r.in_order then
        ${advance("deliver")}
      elsif found then
        delete from deliver p where p.slot = q.slot and p.seq = q.seq and p.workspace_id = r.workspace_id
        returning p.attempt into q;
        if found then
          outcome := 'asked';
          ${insertAsked("q.attempt", "null")}
        end if;
      end if;
    end if;
    if outcome = 'asked' then
      update delivery p set next_attempt_at = now where p.workspace_id = r.workspace_id and p.id = r.delivery_id;
      outcomes[r.ordinality] := outcome;
    end if;
  end loop;
end if;
return query select * from unnest(ids, outcomes);`,
});
