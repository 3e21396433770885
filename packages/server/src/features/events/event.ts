import type { App, Ctx, TxCtx } from "../../ctx.ts";
import type { Answer } from "../../http/route.ts";
import { ALL_SLOTS } from "../../lanes/lane-kinds.ts";
import { slotsOfMask } from "./event.sql.ts";
import { insertEventRow } from "./event.store.ts";
import type { EventGroup } from "./event-groups.ts";

/** Something a verb did, for the endpoints that listen to it. It occurred at the time of the request. */
export type NewEvent<Kind extends string> = {
  kind: Kind;
  /** Uuid, for kinds about a contact. */
  contact?: string;
  /** Uuid of what else it is about: account, template, number or endpoint. */
  resource?: string;
  /** What its `data` is rendered from, as of this commit. */
  state: object;
  /** Events with the same text keep their order at ordered endpoints; mostly the id of what they are about. */
  conversation: string;
};

/**
 * Writes an event of a feature's group and its deliveries in the verb's transaction. Call it last, because the deliveries' `seq` should be drawn
 * close to the commit, and give the route `after: hintDeliveries`.
 */
export async function emit<Kind extends string>(
  { sql, workspaceId, now }: Pick<TxCtx, "sql" | "workspaceId" | "now">,
  group: EventGroup<Kind>,
  event: NewEvent<NoInfer<Kind>>,
): Promise<void> {
  if (!group.kinds.includes(event.kind)) throw new Error(`${event.kind} is not a kind of ${group.category} events`);
  const { kind, contact = null, resource = null, state, conversation } = event;
  await insertEventRow(
    sql,
    workspaceId,
    { kind, contact_id: contact, resource_id: resource, state, conversation },
    now,
  );
}

/** The `committed` of a batch whose database function has the event step: hints the slots that the call has given deliveries. */
export function hintCommitted(notifier: App["notifier"], answers: readonly { slots_mask: string }[]): void {
  notifier.hint("deliver", slotsOfMask(answers.at(-1)?.slots_mask));
}

/**
 * The `after` of a route whose verb wrote deliveries: the owners of their lanes read the queue at once. A hint inside the verb
 * would come before the commit, when there is nothing to read; without any hint the rows are found within a second.
 */
export function hintDeliveries<Body>(ctx: Ctx, answer: Answer<Body>): Promise<Answer<Body>> {
  // All slots: it is only a hint, and the right ones are not worth carrying through the answer.
  ctx.notifier.hint("deliver", ALL_SLOTS);
  return Promise.resolve(answer);
}
