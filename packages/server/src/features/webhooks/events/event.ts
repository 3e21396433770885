import type { Ctx, TxCtx } from "../../../ctx.ts";
import type { Answer } from "../../../http/route.ts";
import { SLOTS } from "../../../lanes/lane-kinds.ts";
import { insertEvent } from "./event.store.ts";
import type { EmittedKind } from "./event-kinds.ts";

/** Something a verb did, for those who subscribed to it. It occurred at the time of the request. */
export type NewEvent = {
  kind: EmittedKind;
  /** Uuid, for kinds about a contact. */
  contact?: string;
  /** Uuid of whatever else it is about: account, template, number, endpoint. */
  resource?: string;
  /** What its `data` is rendered from, as it is at this commit. */
  state: object;
  /** Events with the same text keep their order at endpoints that ask for it: mostly the id of what they are about. */
  conversation: string;
};

/**
 * Writes an event and its deliveries in the verb's transaction: all of it or nothing. Call it last, because the deliveries'
 * `seq` should be close to the commit. The route says `after: hintDeliveries`.
 */
export async function emit({ sql, workspaceId, now }: TxCtx, event: NewEvent): Promise<void> {
  const { kind, contact = null, resource = null, state, conversation } = event;
  await insertEvent(sql, workspaceId, { kind, contact_id: contact, resource_id: resource, state, conversation }, now);
}

const ALL_SLOTS = Array.from({ length: SLOTS }, (_, slot) => slot);

/**
 * The `after` of a route whose verb wrote deliveries: their lanes look at once. Inside the verb they would look before the
 * commit and find nothing; without a hint they find the rows within a second.
 */
export function hintDeliveries<Body>(ctx: Ctx, answer: Answer<Body>): Promise<Answer<Body>> {
  // A hint: which of the slots it was is not worth carrying through the answer.
  ctx.notifier.hint("deliver", ALL_SLOTS);
  return Promise.resolve(answer);
}
