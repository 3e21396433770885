import type { TxCtx } from "../../../ctx.ts";
import { callWithin } from "../../../db/call-within.ts";
import { hasScope } from "../../../http/caller.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { notFound } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { formatId } from "../../../lib/ids.ts";
import type { EventGroups } from "../../events/event-groups.ts";
import { requestHeaders } from "../deliver/request-headers.ts";
import { signedAt } from "../deliver/signature.ts";
import { loadEvents } from "../feed/feed.store.ts";
import { shownTo } from "../feed/feed.ts";
import type { Envelopes } from "../provider-format/envelopes.ts";
import { renderDelivery } from "../render.ts";
import { type DeliveryWithAttempts, selectPosting } from "./delivery.store.ts";
import { findDelivery } from "./find-delivery.ts";
import type { Delivery } from "./schema.ts";

type AttemptRequest = NonNullable<Delivery["attempts"][number]["request"]>;

/** The verb of one delivery, which renders its event. */
export type DeliveryVerbs = {
  /** One delivery with its attempts; 404 when the workspace has none of this id. */
  getDelivery(ctx: TxCtx, input: ById): Promise<Answer<Delivery>>;
};

/** `version`: of the server. */
export const deliveryVerbs = (groups: EventGroups, envelopes: Envelopes, version: string): DeliveryVerbs => ({
  async getDelivery(ctx, { params }) {
    const row = await findDelivery(ctx, uuidOfPath("dlv", params.id));
    if (!row) throw notFound();
    const delivery = renderDelivery(row);
    if (row.attempts.length === 0) return answerOf(delivery);
    const { fields, own } = await selectPosting(ctx.sql, ctx.workspaceId, row.webhook_endpoint_id);
    const body = await (fields === null ? bodyOf(ctx, groups, row.event_id) : envelopeOf(ctx, envelopes, row));
    const attempts = row.attempts.map(({ replay, ...attempt }) => ({
      ...attempt,
      request: { headers: headersOf(row, { ...attempt, replay }, { own, version }), body },
    }));
    return answerOf({ ...delivery, attempts });
  },
});

const answerOf = (body: Delivery): Answer<Delivery> => ({ body, resource: { type: "delivery", id: body.id } });

/** What was posted, as this caller may read it, rendered from what is known of it now: no copy of it is kept. Null: the event is not kept. */
async function bodyOf(ctx: TxCtx, groups: EventGroups, eventId: string): Promise<string | null> {
  const [found] = await callWithin(
    ctx.sql,
    loadEvents,
    [{ workspace_id: ctx.workspaceId, id: eventId, numbers: null }],
    ctx.now,
  );
  return found?.event ? JSON.stringify(shownTo(ctx, groups, found.event)) : null;
}

/** The same in the provider's format, whose content cannot be left out: without the scope there is none. */
async function envelopeOf(
  ctx: TxCtx,
  envelopes: Envelopes,
  { event_id, kind }: DeliveryWithAttempts,
): Promise<string | null> {
  if (!hasScope(ctx.actor, "messages:read")) return null;
  const envelope = await envelopes.of(ctx.workspaceId, event_id, kind);
  return envelope?.body.toString("latin1") ?? null;
}

/** The endpoint's own headers have no values here: they may be secrets. */
function headersOf(
  row: DeliveryWithAttempts,
  attempt: DeliveryWithAttempts["attempts"][number],
  { own, version }: { own: readonly string[]; version: string },
): AttemptRequest["headers"] {
  const of = { version, kind: row.kind, deliveryId: row.id, attempt: attempt.n, isReplay: attempt.replay === true };
  return {
    ...Object.fromEntries(own.map((name) => [name, null])),
    ...requestHeaders(of),
    ...signedAt(formatId("evt", row.event_id), Date.parse(attempt.started_at)),
  };
}
