import { columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import { slotOfLane } from "../../../lanes/lane-kinds.ts";
import { inLane, orderIn } from "../../../lanes/queue.ts";
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

/** The row that is asked for, from the event `e`. A test is in no order with others, which may have failed and wait. */
const insertAsked = (attempt: string, replay: string): string => `
    insert into redeliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation, attempt, replay_id)
    values (${slotOfLane("r.lane")}, r.lane, case when r.ahead then now else '-infinity' end, r.workspace_id, r.delivery_id, r.event_id,
      hashtextextended(case when e.kind = '${TEST_KIND}' then e.id else coalesce(e.contact_id, e.resource_id, e.id) end::text, 0),
      ${attempt}, ${replay})
    on conflict do nothing;`;

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
  is_stored boolean;
  outcome text;`,
  body: `
for r in select x.* from ${recordset(ASK)} order by x.ordinality loop
  outcome := 'none';
  select v.id, v.kind, v.contact_id, v.resource_id, v.created_at into e from event v
  where v.workspace_id = r.workspace_id and v.id = r.event_id;
  if found then
    select p.status, p.next_attempt_at into d from delivery p
    where p.workspace_id = r.workspace_id and p.id = r.delivery_id for no key update;
    is_stored := found;
    if is_stored and d.status = any(r.reopens) then
      update delivery p set status = 'pending', next_attempt_at = now, completed_at = null
      where p.workspace_id = r.workspace_id and p.id = r.delivery_id;
      outcome := 'asked';
    elsif is_stored then
      if d.status in ('pending', 'parked') then
        outcome := 'open';
      end if;
    elsif r.creates then
      insert into delivery (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, next_attempt_at, created_at,
        completed_at, attempts)
      values (r.workspace_id, r.delivery_id, r.event_id, r.endpoint_id, e.kind, 'pending', 0, now, e.created_at, null, '[]')
      on conflict do nothing;
      if found then
        outcome := 'asked';
      end if;
    end if;
    if outcome = 'asked' then
      ${insertAsked("0", "r.replay_id")}
    elsif outcome = 'open' and r.advances then
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
      end if;
    end if;
  end if;
  return query select r.delivery_id, outcome;
end loop;`,
});
