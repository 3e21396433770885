import type { App, Ctx, TxCtx } from "../../ctx.ts";
import type { Answer } from "../../http/route.ts";
import type { HandOver } from "../../lanes/hand-over.ts";
import { ALL_SLOTS } from "../../lanes/lane-kinds.ts";
import { slotsOfMask } from "./event.sql.ts";
import { insertEventRow } from "./event.store.ts";
import type { EventGroup } from "./event-groups.ts";
import type { HandedDelivery, HandedEvent } from "./handed-event.ts";

/** Something a verb did, for the endpoints that listen to it. It occurred at the time of the request. */
export type NewEvent<Kind extends string> = {
  kind: Kind;
  /** Uuid, for kinds about a contact. */
  contact?: string;
  /** Uuid of the message that it is about: it is found by that, and has it as `message`. */
  message?: string;
  /** Uuid of what else it is about: account, template, number or endpoint. */
  resource?: string;
  /** Uuids of the number or the account that it is about, for the limits of endpoints; neither of what is about contacts. */
  phoneNumber?: string;
  businessAccount?: string;
  /** What its `data` is rendered from, as of this commit. */
  state: object;
  /** Uuid of the raw callback that reported it. */
  callback?: string;
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
  const unlisted = group.unlisted?.includes(event.kind) === true;
  if (!unlisted && !group.kinds.includes(event.kind))
    throw new Error(`${event.kind} is not a kind of ${group.category} events`);
  const {
    kind,
    contact = null,
    message = null,
    resource = null,
    phoneNumber = null,
    businessAccount = null,
    callback = null,
    state,
    conversation,
  } = event;
  await insertEventRow(
    sql,
    workspaceId,
    {
      kind,
      contact_id: contact,
      message_id: message,
      resource_id: resource,
      phone_number_id: phoneNumber,
      business_account_id: businessAccount,
      state,
      conversation,
      callback_id: callback,
      unlisted: unlisted || undefined,
    },
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

/**
 * The `begins` of a batch whose database function writes events: the deliveries of an event that a call hands over start here without a
 * read, the slots of the others are hinted. A call with one row alone hands over.
 */
export function handsEvents(
  notifier: App["notifier"],
): (answers: readonly { slots_mask: string; handed: HandedEvent | null }[] | null) => void {
  const handOver = notifier.handOver("deliver");
  return (answers) => {
    if (answers !== null) {
      hintCommitted(notifier, answers);
      const event = answers[0]?.handed;
      if (event) give(handOver, event);
    }
    handOver.end();
  };
}

function give(handOver: HandOver, event: HandedEvent): void {
  handOver.give(
    "deliver",
    event.to.map(({ slot, lane, seq, delivery_id, endpoint_id, version }) => ({
      slot,
      lane,
      seq,
      workspace_id: event.workspace_id,
      item_id: delivery_id,
      event_id: event.id,
      key: null,
      expires_at: null,
      work: { event, endpoint: { endpoint_id, version } } satisfies HandedDelivery,
    })),
  );
}
