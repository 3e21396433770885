import { each } from "../../db/hot-function.ts";
import { SLOTS, slotOfLane } from "../../lanes/lane-kinds.ts";

/**
 * The event step of other features' database functions: one event row, and a queue row for each endpoint that listens.
 * Expressions are SQL. The function that uses it declares `EVENT_VARIABLES` and returns `SLOTS_MASK` in a column `slots_mask`,
 * so that the caller can hint the slots that got work. A verb without such a function calls `emit` of event.ts.
 */
export type EventStep = {
  workspace: string;
  /** A text expression: the kind, of a group of events (event-groups.ts). */
  kind: string;
  message?: string;
  contact?: string;
  /** Whatever else the event is about: template, account, number, endpoint. */
  resource?: string;
  occurredAt: string;
  /** json: what may change later, as it is at this commit. */
  state?: string;
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
 * Of endpoints `e` of a workspace: their ids, lanes and kinds, all that is read of them here, are in an index whose predicate is
 * the second condition. It always holds. (docs/adr/0009.)
 */
export const inWorkspace = (workspace: string): string => `e.workspace_id = ${workspace} and e.lane >= 0`;

const maskOf = (slots: string): string => `coalesce(bit_or(1::bigint << ${slots}), 0)`;

// Endpoints that are switched off get their rows too: a closed lane is not read, and what is parked there can still be
// delivered when it opens.
export const emitEvent = (step: EventStep): string => `
  event_id := new_uuid(now);
  insert into event
    (workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at)
  values (${step.workspace}, event_id, (select i.era from installation i), ${step.kind}, nextval('conversation_sequence'),
    ${step.message ?? "null"}, ${step.contact ?? "null"}, ${step.resource ?? "null"}, ${step.occurredAt},
    ${step.state ?? "null"}, now);
  with deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select ${slotOfLane("e.lane")}, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id, ${step.conversation}
    from webhook_endpoint e
    where ${inWorkspace(step.workspace)} and e.events && array['*', ${step.kind}]
    returning slot)
  select slots_filled | ${maskOf("d.slot")} into slots_filled from deliveries d;`;

/**
 * The event step for many at once, as parts of a `with`: into partitioned tables a statement's start costs more than its row.
 * `from` is a part before them with a row for each event; expressions are of its row `x`, and events and deliveries get their
 * numbers in order of its `ordinality`. `now` is the function's, under a name that no column has. `SLOTS_OF_EVENTS` is the
 * mask of the slots that got work.
 */
export const emitEventRows = (from: string, step: EventStep, now = "now"): string => `
  new_events as materialized (
    select ${step.workspace} as workspace_id, new_uuid(${now}) as id, ${step.kind} as kind, ${step.message ?? "null::uuid"} as message_id,
      ${step.contact ?? "null::uuid"} as contact_id, ${step.resource ?? "null::uuid"} as resource_id, ${step.occurredAt} as occurred_at,
      ${step.state ?? "null::json"} as state, ${step.conversation} as conversation
    from ${from} x order by x.ordinality),
  events as (
    insert into event
      (workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at)
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'), x.message_id,
      x.contact_id, x.resource_id, x.occurred_at, x.state, ${now}
    from new_events x),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select ${slotOfLane("e.lane")}, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    ${each(
      "e",
      `select e.id, e.lane from webhook_endpoint e
       where ${inWorkspace("x.workspace_id")} and e.events && array['*', x.kind]`,
    )}
    returning slot)`;

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
