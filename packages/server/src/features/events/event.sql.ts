import { each, lookUp, of } from "../../db/hot-function.ts";
import { SLOTS, slotOfLane } from "../../lanes/lane-kinds.ts";
import type { HandedEvent } from "./handed-event.ts";
import { type AboutStep, withinLimits } from "./limits.sql.ts";

/**
 * The event step of other features' database functions: one event row, and a queue row for each endpoint that listens.
 * Expressions are SQL. The function that uses it declares `EVENT_VARIABLES` and returns `SLOTS_MASK` in a column `slots_mask`,
 * so that the caller can hint the slots that got work. A verb without such a function calls `emit` of event.ts.
 */
export type EventStep = AboutStep & {
  workspace: string;
  /** A text expression: the kind, of a group of events (event-groups.ts). */
  kind: string;
  contact?: string;
  /** Whatever else the event is about: template, account, number, endpoint. */
  resource?: string;
  occurredAt: string;
  /** json: what may change later, as it is at this commit. */
  state?: string;
  /** uuid: the raw callback that reported it, null where none did. */
  callback?: string;
  /** boolean: whether it is of an unlisted kind (`EventGroup`). Its number is 0, and no feed has such an event. */
  unlisted?: string;
  /** bigint: rows of one conversation keep their order at endpoints that ask for it. */
  conversation: string;
};

/** bigint, a bit for each slot of `deliver` that the call has given work so far. It only grows: see `slotsOfMask`. */
export const SLOTS_FILLED = "slots_filled bigint := 0;";
/** The answer column `slots_mask`. */
export const SLOTS_MASK = "slots_filled::text";

/** For `emitEvent`, in a function that declares `SLOTS_FILLED` already. */
export const EVENT_OF_ONE = `
  event_id uuid;`;

/** For `emitEvent`. Nothing else of the function may have these names. */
export const EVENT_VARIABLES = `${EVENT_OF_ONE}
  ${SLOTS_FILLED}`;

/**
 * Of endpoints `e` of a workspace: their ids, lanes, kinds and whether they are limited, all that is read of them here, are in an
 * index whose predicate is the second condition. It always holds. (docs/adr/0009.)
 */
export const inWorkspace = (workspace: string): string => `e.workspace_id = ${workspace} and e.lane >= 0`;

/**
 * What the lanes of this process need to deliver an event without reading it again: see `HandedEvent`. Expressions are SQL. `when`: a
 * boolean, whether the process has such lanes. `message` and `contact`: json, as `load_deliveries` gives them.
 */
export type HandedStep = { when: string; message?: string; contact?: string };

/** The answer column `handed` of a function that hands an event over; null where it does not. */
export const HANDED = of<HandedEvent | null>("json?");

/** For `emitEvent` with a `HandedStep`, besides `EVENT_VARIABLES`: `handed` is the answer column. The result is of one event. */
export const HANDED_VARIABLES = `
  handed json;
  handed_to json;
  event_sequence bigint;
  event_state json;`;

const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`;

const maskOf = (slots: string): string => `coalesce(bit_or(1::bigint << ${slots}), 0)`;

// Endpoints that are switched off get their rows too: a closed lane is not read, and what is parked there can still be
// delivered when it opens.
export const emitEvent = (step: EventStep, handed?: HandedStep): string =>
  handed === undefined ? plainEvent(step) : handedEvent(step, handed);

const plainEvent = (step: EventStep): string => `
  event_id := new_uuid(now);
  ${insertEvent(step)}
  with deliveries as (${insertDeliveries(step, "slot")})
  select slots_filled | ${maskOf("d.slot")} into slots_filled from deliveries d;`;

/** With the deliveries that any order will do for, to endpoints that are enabled; slots of the others are in the mask. */
const handedEvent = (step: EventStep, { when, message, contact }: HandedStep): string => `
  event_id := new_uuid(now);
  event_state := ${step.state ?? "null"};
  ${insertEvent({ ...step, state: "event_state" }, "returning sequence into event_sequence")}
  with deliveries as (${insertDeliveries(step, "slot, lane, seq, delivery_id")})
  select slots_filled | coalesce(bit_or(1::bigint << d.slot) filter (where p.id is null), 0),
    json_agg(json_build_object('slot', d.slot, 'lane', d.lane, 'seq', d.seq, 'delivery_id', d.delivery_id,
      'endpoint_id', p.id, 'version', p.version) order by d.seq) filter (where p.id is not null)
  into slots_filled, handed_to
  from deliveries d
  ${lookUp(
    "p",
    `select p.id, p.version from webhook_endpoint p
     where ${when} and p.workspace_id = ${step.workspace} and p.lane = d.lane and p.enabled and not p.ordered`,
  )};
  if handed_to is not null then
    handed := json_build_object('workspace_id', ${step.workspace}, 'id', event_id, 'kind', ${step.kind},
      'resource_id', ${step.resource ?? step.contact ?? "null::uuid"}, 'contact_id', ${step.contact ?? "null::uuid"},
      'sequence', event_sequence, 'occurred_at', ${ms(step.occurredAt)}, 'created_at', ${ms("now")}, 'state', event_state,
      'message', ${message ?? "null"}, 'contact', ${contact ?? "null"},
      'is_erased', exists (
        select from erased_contact z where z.workspace_id = ${step.workspace} and z.id = ${step.contact ?? "null::uuid"}),
      'to', handed_to);
  end if;`;

const insertEvent = (step: EventStep, returning = ""): string => `insert into event
    (workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at${ofCallback(step, ", callback_id")})
  values (${step.workspace}, event_id, (select i.era from installation i), ${step.kind}, ${sequenceOf(step)},
    ${step.message ?? "null"}, ${step.contact ?? "null"}, ${step.resource ?? "null"}, ${step.occurredAt},
    ${step.state ?? "null"}, now${ofCallback(step, `, ${step.callback}`)})
  ${returning};`;

const sequenceOf = ({ unlisted }: EventStep): string =>
  unlisted === undefined
    ? "nextval('conversation_sequence')"
    : `case when ${unlisted} then 0 else nextval('conversation_sequence') end`;

/** text[]: what an endpoint listens to that gets the event. */
const listenedTo = ({ unlisted, kind }: EventStep): string =>
  unlisted === undefined
    ? `array['*', ${kind}]`
    : `case when ${unlisted} then array[${kind}] else array['*', ${kind}] end`;

const ofCallback = ({ callback }: EventStep, text: string): string => (callback === undefined ? "" : text);

const insertDeliveries = (step: EventStep, returning: string): string => `
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select ${slotOfLane("e.lane")}, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id, ${step.conversation}
    from webhook_endpoint e
    where ${inWorkspace(step.workspace)} and e.events && ${listenedTo(step)}
      and ${withinLimits(step.workspace, step)}
    returning ${returning}`;

/**
 * The event step for many at once, as parts of a `with`: into partitioned tables a statement's start costs more than its row.
 * `from` is a part before them with a row for each event; expressions are of its row `x`, and events and deliveries get their
 * numbers in order of its `ordinality`. `now` is the function's, under a name that no column has. `SLOTS_OF_EVENTS` is the
 * mask of the slots that got work.
 */
export const emitEventRows = (from: string, step: EventStep, now = "now"): string => `
  new_events as materialized (
    select ${step.workspace} as workspace_id, new_uuid(${now}) as id, ${step.kind} as kind, ${step.message ?? "null::uuid"} as message_id,${aboutColumns(step)}
      ${step.contact ?? "null::uuid"} as contact_id, ${step.resource ?? "null::uuid"} as resource_id, ${step.occurredAt} as occurred_at,
      ${step.state ?? "null::json"} as state, ${step.conversation} as conversation${ofCallback(step, `, ${step.callback} as callback_id`)}
    from ${from} x order by x.ordinality),
  events as (
    insert into event
      (workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at${ofCallback(step, ", callback_id")})
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'), x.message_id,
      x.contact_id, x.resource_id, x.occurred_at, x.state, ${now}${ofCallback(step, ", x.callback_id")}
    from new_events x),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select ${slotOfLane("e.lane")}, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    ${each(
      "e",
      `select e.id, e.lane from webhook_endpoint e
       where ${inWorkspace("x.workspace_id")} and e.events && array['*', x.kind]
         and ${withinLimits("x.workspace_id", aboutRow(step))}`,
    )}
    returning slot)`;

// Each column that passes through the parts of a statement costs something: only those that there are.
const aboutColumns = ({ phoneNumber, account }: AboutStep): string =>
  `${phoneNumber === undefined ? "" : `\n      ${phoneNumber} as about_number,`}${account === undefined ? "" : `\n      ${account} as about_account,`}`;
const aboutRow = ({ phoneNumber, account, message }: AboutStep): AboutStep => ({
  ...(phoneNumber !== undefined && { phoneNumber: "x.about_number" }),
  ...(account !== undefined && { account: "x.about_account" }),
  ...(message !== undefined && { message: "x.message_id" }),
});

/** bigint: the mask of the slots that `emitEventRows` gave work. */
export const SLOTS_OF_EVENTS = `(select ${maskOf("d.slot")} from deliveries d)`;

/**
 * The slots in a `slots_mask` text. Masks of one call only grow from answer to answer, and the last answer's holds the slots
 * of all its rows: `slotsOfMask(answers.at(-1)?.slots_mask)`.
 */
export function slotsOfMask(slots_mask: string | null | undefined): number[] {
  const bits = BigInt.asUintN(SLOTS, BigInt(slots_mask ?? "0"));
  const slots: number[] = [];
  for (let slot = 0; slot < SLOTS; slot++) if ((bits >> BigInt(slot)) & 1n) slots.push(slot);
  return slots;
}
