import { columns, hotFunction, recordset } from "../../db/hot-function.ts";
import { LANE_KINDS, READY, STARTED, slotOfLane, UNKNOWN } from "../lane-kinds.ts";
import { defineQueue, lockQueue, queueFunctions } from "../queue.ts";

/** The dispatch queue's own tables and reads; the functions below stand in for those of its feature. */
export const probeQueue = defineQueue({
  kind: "dispatch",
  table: "dispatch",
  item: "message_id",
  key: "recipient",
  workspace: true,
  event: false,
  intents: true,
});

const ADD = columns({
  lane: "int",
  due: "timestamptz?",
  workspace_id: "uuid",
  message_id: "uuid",
  recipient: "bigint",
});

/** Enqueues rows in their order. */
export const addRows = hotFunction({
  name: "probe_add",
  input: ADD,
  answers: columns({ seq: "bigint" }),
  declare: "r record;",
  body: `
for r in select x.* from ${recordset(ADD)} order by x.ordinality loop
  return query insert into dispatch as d (slot, lane, due, workspace_id, message_id, recipient)
    values (${slotOfLane("r.lane")}, r.lane, coalesce(r.due, '-infinity'), r.workspace_id, r.message_id, r.recipient)
    returning d.seq;
end loop;`,
});

const BEGIN = columns({
  slot: "smallint",
  seq: "bigint",
  workspace_id: "uuid",
  message_id: "uuid",
  attempt: "smallint",
  worker: "uuid",
  epoch: "int",
  fenced: "boolean",
});

/** An intent: a compare-and-set of `attempt` under the slot's epoch. Each one leaves a row in `probe_intent`. */
export const beginRows = hotFunction({
  name: "probe_begin",
  input: BEGIN,
  answers: columns({ verdict: "boolean" }),
  declare: "r record; ok boolean;",
  body: `
${lockQueue("dispatch")}
for r in select x.*, s.owner is not null as mine from ${recordset(BEGIN)}
  left join slot s on s.kind = ${LANE_KINDS.dispatch} and s.slot = x.slot and s.owner = x.worker and s.epoch = x.epoch
  order by x.ordinality
loop
  ok := false;
  if r.mine or not r.fenced then
    update dispatch d set attempt = d.attempt + 1, state = ${STARTED}, worker = r.worker, started_at = now
    where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt = r.attempt
      and d.state = ${READY};
    ok := found;
    if ok then
      insert into probe_intent (message_id, attempt, worker) values (r.message_id, r.attempt + 1, r.worker);
    elsif again then
      perform from dispatch d
      where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt = r.attempt + 1
        and d.state = ${STARTED} and d.worker = r.worker;
      ok := found;
    end if;
  end if;
  return query select ok;
end loop;`,
});

/** The recipients that are one person with the given one, itself included; none where it is not among `probe_joined`. */
export const lookJoined = hotFunction({
  name: "probe_joined_with",
  writes: false,
  input: columns({ recipient: "bigint" }),
  answers: columns({ keys: "text[]?" }),
  body: `return query select (
    select array_agg(o.recipient::text) from probe_joined j join probe_joined o using (person) where j.recipient = x.recipient)
  from ${recordset(columns({ recipient: "bigint" }))} order by x.ordinality;`,
});

const END = columns({
  slot: "smallint",
  lane: "int",
  seq: "bigint",
  workspace_id: "uuid",
  recipient: "bigint?",
  attempt: "smallint",
  outcome: "text",
  due: "timestamptz",
});

/** What became of an attempt: done, a retry at `due` that holds its recipient, or unknown until `due`. */
export const endRows = hotFunction({
  name: "probe_end",
  input: END,
  answers: columns({ changed: "boolean" }),
  declare: "r record;",
  body: `
for r in select x.* from ${recordset(END)} order by x.ordinality loop
  if r.outcome = 'done' then
    delete from dispatch d
    where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt = r.attempt;
  elsif r.outcome = 'unknown' then
    update dispatch d set state = ${UNKNOWN}, due = r.due
    where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt = r.attempt
      and d.state = ${STARTED};
  else
    update dispatch d set state = ${READY}, due = r.due
    where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt = r.attempt
      and d.state = ${STARTED};
    insert into held (slot, lane, workspace_id, recipient, seq, until)
    values (r.slot, r.lane, r.workspace_id, r.recipient, r.seq, r.due)
    on conflict (slot, lane, recipient, workspace_id) do update set
      seq = excluded.seq, until = greatest(held.until, excluded.until);
  end if;
  return query select true;
end loop;`,
});

export const lookRows = hotFunction({
  name: "probe_look",
  writes: false,
  input: columns({}),
  answers: columns({
    lane: "int",
    seq: "bigint",
    recipient: "text",
    attempt: "smallint",
    state: "smallint",
    due: "float8",
  }),
  body: `return query select d.lane, d.seq, d.recipient::text, d.attempt, d.state, (extract(epoch from d.due) * 1000)::float8 from dispatch d order by d.seq;`,
});

const HOLD = columns({ lane: "int", workspace_id: "uuid", recipient: "bigint", seq: "bigint", until: "timestamptz" });

export const holdKey = hotFunction({
  name: "probe_hold",
  input: HOLD,
  answers: columns({ lane: "int" }),
  body: `return query insert into held as h (slot, lane, workspace_id, recipient, seq, until)
    select ${slotOfLane("x.lane")}, x.lane, x.workspace_id, x.recipient, x.seq, x.until
    from ${recordset(HOLD)} returning h.lane;`,
});

export const lookHeld = hotFunction({
  name: "probe_held",
  writes: false,
  input: columns({}),
  answers: columns({ lane: "int", recipient: "text", seq: "bigint" }),
  body: "return query select h.lane, h.recipient::text, h.seq from held h;",
});

const BLOAT = columns({ lane: "int", count: "int" });

/** Dead rows: a backlog that was worked off. */
export const bloatRows = hotFunction({
  name: "probe_bloat",
  input: BLOAT,
  answers: columns({ n: "bigint" }),
  declare: "gone bigint;",
  body: `
  insert into dispatch (slot, lane, workspace_id, message_id, recipient)
  select ${slotOfLane("x.lane")}, x.lane, gen_random_uuid(), gen_random_uuid(), n
  from ${recordset(BLOAT)}, generate_series(1, x.count) n;
  delete from dispatch;
  get diagnostics gone = row_count;
  return query select gone;`,
});

export const PROBE_FUNCTIONS = [
  ...queueFunctions(probeQueue),
  addRows,
  beginRows,
  lookJoined,
  endRows,
  holdKey,
  lookRows,
  lookHeld,
  bloatRows,
];
