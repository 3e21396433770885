import { columns, lookUp } from "../../../db/hot-function.ts";
import { slotOfLane } from "../../../lanes/lane-kinds.ts";
import { inLane } from "../../../lanes/queue-sql.ts";

/** A raw callback, as columns of a database function's input. */
export const CALLBACK_INPUT = columns({
  id: "uuid",
  lane: "int",
  /** Base64 of the raw bytes. */
  body: "text",
});

/**
 * The step that stores callbacks byte for byte, a part of a `with`: those of the part `given`, which has `CALLBACK_INPUT` and
 * `ordinality`. `stored` has the ids of those that no earlier call has stored.
 */
export const storeCallbackRows = (given: string): string => `
  stored as (
    insert into callback as c (id, received_at, body)
    select x.id, now, decode(x.body, 'base64') from ${given} x order by x.ordinality
    on conflict do nothing
    returning c.id)`;

/** The same of one callback alone, the record of this name, which no earlier call has stored. */
export const insertCallback = (record: string): string => `
    insert into callback (id, received_at, body) values (${record}.id, now, decode(${record}.body, 'base64'));`;

/** The step that queues stored callbacks: an insert of `id` and `lane` of the rows `x` that `from` names, in their order. */
export const queueCallbackRows = (from: string): string => `
    insert into ingest (slot, lane, callback_id)
    select ${slotOfLane("x.lane")}, x.lane, x.id from ${from} order by x.ordinality`;

/** One change of a number of ours, as the operator's list has it: `change` is json. It was in a callback that was taken since. */
export const setAside = (of: Record<"workspace" | "number" | "reason" | "change", string>): string => `
    insert into quarantine (id, provider_phone_number_id, reason, change, created_at)
    values (new_uuid(now), (
      select n.provider_phone_number_id from phone_number n where n.workspace_id = ${of.workspace} and n.id = ${of.number}),
      ${of.reason}, ${of.change}, now);`;

const inLaneOf = (row: string): string =>
  `ingest i where ${inLane("i", `${slotOfLane(`${row}.lane`)}::int`, `${row}.lane`)}`;

/** A look-up for each row `x` of a `from` list: `waiting.yes` is null unless callbacks of its lane are in the queue. */
export const waitingInLane = lookUp("waiting", `select true as yes from ${inLaneOf("x")} limit 1`);

/**
 * boolean: of one callback alone, the record of this name, whether it is taken now: no callbacks of its lane are in the queue, and its number is
 * still of the workspace that the caller knows.
 */
export const isNext = (record: string): string => `not exists (select from ${inLaneOf(record)})
      and exists (
        select from phone_number_route o
        where o.provider_phone_number_id = ${record}.number and o.workspace_id = ${record}.workspace_id)`;
