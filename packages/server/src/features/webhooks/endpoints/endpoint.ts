import type { TxCtx } from "../../../ctx.ts";
import { etagOf, requireMatch } from "../../../http/headers.ts";
import { uuidOfPath } from "../../../http/ids.ts";
import { type PageRequest, page } from "../../../http/pagination.ts";
import { notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { slotOf } from "../../../lanes/lane-kinds.ts";
import { formatId, newUuid } from "../../../lib/ids.ts";
import type { EgressPolicy } from "../../../lib/safe-fetch-target.ts";
import { newSecret } from "../deliver/signature.ts";
import { secretContext } from "../deliver/signing-secrets.ts";
import { findDelivery } from "../deliveries/delivery.store.ts";
import { renderDelivery } from "../delivery-shape.ts";
import { renderEndpoint } from "../endpoint-shape.ts";
import { TEST_KIND } from "../events/event-kinds.ts";
import {
  DEFAULT_OVERLAP_SECONDS,
  type Delivery,
  type NewWebhookEndpoint,
  type SecretRotation,
  type WebhookEndpoint,
  type WebhookEndpointChange,
  type WebhookEndpointWithSecret,
} from "../schema.ts";
import {
  countEndpoints,
  deleteEndpoint,
  type EndpointRow,
  type EndpointUpdate,
  findEndpoint,
  insertEndpoint,
  insertTestEvent,
  listEndpoints,
  lockEndpoint,
  replaceSecret,
  updateEndpoint,
} from "./endpoint.store.ts";
import { endpointUrl } from "./endpoint-url.ts";

/** Each event fans out to every endpoint that listens, inside the transaction that makes it. */
const MOST_ENDPOINTS = 100;

export async function createEndpoint(
  ctx: TxCtx,
  body: NewWebhookEndpoint,
  policy: EgressPolicy,
): Promise<Answer<WebhookEndpointWithSecret>> {
  const url = endpointUrl(body.url, policy);
  if ((await countEndpoints(ctx.sql, ctx.workspaceId)) >= MOST_ENDPOINTS)
    throw new Problem("conflict", `A workspace has at most ${MOST_ENDPOINTS} webhook endpoints.`);
  const id = newUuid(ctx.now);
  const secret = newSecret();
  const row = await insertEndpoint(ctx.sql, ctx.workspaceId, {
    id,
    url,
    events: body.events,
    description: body.description ?? null,
    ordered: body.ordered ?? false,
    secret: ctx.secrets.seal(secret, secretContext(ctx.workspaceId, id)),
    now: ctx.now,
  });
  const shown = renderEndpoint(row);
  return {
    body: { ...shown, secret },
    headers: { location: `/v1/webhook-endpoints/${shown.id}`, etag: etagOf(row.version) },
    resource: { type: "webhook_endpoint", id: shown.id },
    changes: { url: row.url, events: row.events, ordered: row.ordered },
  };
}

export async function readEndpoints(
  ctx: TxCtx,
  request: PageRequest,
): Promise<Answer<{ data: WebhookEndpoint[]; next_cursor: string | null }>> {
  return {
    body: page(await listEndpoints(ctx.sql, ctx.workspaceId, request.before, request.fetch), request, renderEndpoint),
  };
}

export async function readEndpoint(ctx: TxCtx, id: string): Promise<Answer<WebhookEndpoint>> {
  return shown(await requireEndpoint(ctx, id));
}

export async function changeEndpoint(
  ctx: TxCtx,
  id: string,
  body: WebhookEndpointChange,
  ifMatch: string | undefined,
  policy: EgressPolicy,
): Promise<Answer<WebhookEndpoint>> {
  const row = await holdEndpoint(ctx, id, ifMatch);
  const change = body.url === undefined ? body : { ...body, url: endpointUrl(body.url, policy) };
  const after: EndpointUpdate = {
    url: change.url ?? row.url,
    events: body.events ?? row.events,
    description: body.description === undefined ? row.description : body.description,
    ordered: body.ordered ?? row.ordered,
    ...switched(row, body.enabled),
  };
  return { ...shown(await updateEndpoint(ctx.sql, ctx.workspaceId, row.id, after, ctx.now)), changes: change };
}

export async function removeEndpoint(ctx: TxCtx, id: string, ifMatch: string | undefined): Promise<Answer<null>> {
  const row = await holdEndpoint(ctx, id, ifMatch);
  await deleteEndpoint(ctx.sql, ctx.workspaceId, row.id);
  return { body: null, resource: { type: "webhook_endpoint", id: formatId("whe", row.id) }, changes: { url: row.url } };
}

export async function rotateSecret(
  ctx: TxCtx,
  id: string,
  body: SecretRotation,
): Promise<Answer<WebhookEndpointWithSecret>> {
  const row = await holdEndpoint(ctx, id, undefined);
  const seconds = body.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS;
  const secret = newSecret();
  const sealed = ctx.secrets.seal(secret, secretContext(ctx.workspaceId, row.id));
  const answer = shown(
    await replaceSecret(
      ctx.sql,
      ctx.workspaceId,
      row.id,
      sealed,
      seconds === 0 ? null : ctx.now + seconds * 1_000,
      ctx.now,
    ),
  );
  return { ...answer, body: { ...answer.body, secret }, changes: { overlap_seconds: seconds } };
}

/** Sends one `endpoint_test` event to this endpoint, whatever kinds it listens to; the delivery tells how it went. */
export async function testEndpoint(ctx: TxCtx, id: string): Promise<Answer<Delivery>> {
  const endpoint = await requireEndpoint(ctx, id);
  if (!endpoint.enabled) throw new Problem("conflict", "The endpoint is disabled; enable it to send it a test event.");
  const state = { webhook_endpoint: endpoint, reason: "test" };
  const deliveryId = await insertTestEvent(ctx.sql, ctx.workspaceId, {
    eventId: newUuid(ctx.now),
    kind: TEST_KIND,
    endpoint,
    slot: slotOf(endpoint.lane),
    state,
    now: ctx.now,
  });
  const delivery = await findDelivery(ctx.sql, ctx.workspaceId, deliveryId);
  if (!delivery) throw new Error("the test delivery is not where it was put");
  const body = renderDelivery(delivery);
  return {
    body,
    headers: { location: `/v1/deliveries/${body.id}` },
    resource: { type: "webhook_endpoint", id: formatId("whe", endpoint.id) },
  };
}

/** The endpoint of a path; 404 for an unknown or foreign one. */
export async function requireEndpoint(ctx: TxCtx, id: string): Promise<EndpointRow> {
  const row = await findEndpoint(ctx.sql, ctx.workspaceId, uuidOfPath("whe", id));
  if (!row) throw notFound();
  return row;
}

async function holdEndpoint(ctx: TxCtx, id: string, ifMatch: string | undefined): Promise<EndpointRow> {
  const row = await lockEndpoint(ctx.sql, ctx.workspaceId, uuidOfPath("whe", id));
  if (!row) throw notFound();
  requireMatch(ifMatch, etagOf(row.version));
  return row;
}

function shown(row: EndpointRow): Answer<WebhookEndpoint> {
  const body = renderEndpoint(row);
  return { body, headers: { etag: etagOf(row.version) }, resource: { type: "webhook_endpoint", id: body.id } };
}

// Only a real switch changes the status: `enabled: true` on a failing endpoint does not make it well.
function switched(
  row: EndpointRow,
  enabled: boolean | undefined,
): Pick<EndpointUpdate, "enabled" | "status" | "disabled_reason"> {
  if (enabled === undefined || enabled === row.enabled)
    return { enabled: row.enabled, status: row.status, disabled_reason: row.disabled_reason };
  return enabled
    ? { enabled, status: "active", disabled_reason: null }
    : { enabled, status: "disabled", disabled_reason: "requested" };
}
