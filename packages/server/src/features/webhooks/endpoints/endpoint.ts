import type { TxCtx } from "../../../ctx.ts";
import { callWithin } from "../../../db/call-within.ts";
import { etagOf, requireMatch } from "../../../http/headers.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { type Page, type PageQuery, page, pageRequest } from "../../../http/pagination.ts";
import { notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { CHANGED, placeOf } from "../../audit/fields.ts";
import { keptSecret } from "../deliver/signature.ts";
import { secretContext } from "../deliver/signing-secrets.ts";
import { findDelivery } from "../deliveries/find-delivery.ts";
import { type Delivery } from "../deliveries/schema.ts";
import { TEST_KIND } from "../operational-events.ts";
import { changedFormat, type FormatColumns, newFormat, requireOfFormat } from "../provider-format/settings.ts";
import { askRedeliveries } from "../redeliver/ask.store.ts";
import { renderDelivery, renderEndpoint } from "../render.ts";
import {
  DEFAULT_OVERLAP_SECONDS,
  type NewWebhookEndpoint,
  type SecretRotation,
  type WebhookEndpoint,
  type WebhookEndpointChange,
  type WebhookEndpointWithSecret,
} from "../schema.ts";
import {
  askReceiver,
  countEndpointRows,
  deleteEndpointRow,
  type EndpointRow,
  type EndpointUpdate,
  insertEndpointRow,
  insertTestEventRow,
  lockEndpointRow,
  lockEndpointsOfWorkspace,
  type ReplacedSecret,
  replacedSecrets,
  type Sealed,
  selectEndpointRow,
  selectEndpointRows,
  selectEndpointSecretRows,
  updateEndpointRow,
  updateEndpointRowSecret,
} from "./endpoint.store.ts";
import { allowedUrl } from "./endpoint-url.ts";
import { changedLimits, isWithin } from "./limits.ts";
import { changedHeaders } from "./own-headers.ts";
import { DEFAULT_TIMEOUT_SECONDS } from "./setting-fields.ts";

/** Each event writes a row for every endpoint that listens, inside the transaction of what happened. */
const MOST_ENDPOINTS = 100;
/** Each adds two signatures to the headers of a delivery, and most servers take 8 KiB of headers. */
const MOST_SECRETS = 10;

/** Adds an endpoint. Its secret is in this answer alone, unless the request brings one; 409 for more than `MOST_ENDPOINTS`, 400 for a URL that may not be called. */
export async function createEndpoint(
  ctx: TxCtx,
  { body }: { body: NewWebhookEndpoint },
): Promise<Answer<WebhookEndpointWithSecret>> {
  const url = allowedUrl(ctx, body.url);
  await lockPlace(ctx);
  const id = newUuid(ctx.now);
  const { kept, shown } = keptSecret(body.secret);
  const before = { ...NEW_ENDPOINT, ...newFormat(body) };
  const row = await insertEndpointRow(ctx.sql, ctx.workspaceId, {
    id,
    ...(await settingsOf(ctx, id, before, { ...body, url })),
    secret: ctx.secrets.seal(kept, secretContext(ctx.workspaceId, id)),
    now: ctx.now,
  });
  const endpoint = renderEndpoint(row);
  return {
    body: { ...endpoint, ...shown },
    headers: { location: `/v1/webhook-endpoints/${endpoint.id}`, etag: etagOf(row.version) },
    resource: { type: "webhook_endpoint", id: endpoint.id },
    changes: {
      url: placeOf(row.url),
      ...(row.fields === null ? { events: row.events } : { format: "provider", fields: row.fields }),
      ordered: row.ordered,
      ...(body.enabled === undefined ? {} : { enabled: row.enabled }),
      ...(body.phone_number_ids === undefined ? {} : { phone_number_ids: body.phone_number_ids }),
      ...(body.business_account_ids === undefined ? {} : { business_account_ids: body.business_account_ids }),
      ...(body.headers === undefined ? {} : { headers: row.header_names }),
      ...(body.timeout_seconds === undefined ? {} : { timeout_seconds: row.timeout_seconds }),
      ...(body.rate_per_second === undefined ? {} : { rate_per_second: row.rate_per_second }),
    },
  };
}

/** Holds the endpoints of the workspace for one that is to be added; 409 for more than `MOST_ENDPOINTS`. */
export async function lockPlace({ sql, workspaceId }: TxCtx): Promise<void> {
  await lockEndpointsOfWorkspace(sql, workspaceId);
  if ((await countEndpointRows(sql, workspaceId)) >= MOST_ENDPOINTS)
    throw new Problem("conflict", `A workspace has at most ${MOST_ENDPOINTS} webhook endpoints.`);
}

/** A page of the endpoints that the caller may see, disabled ones too. */
export async function listEndpoints(
  ctx: TxCtx,
  { query }: { query: PageQuery },
): Promise<Answer<Page<WebhookEndpoint>>> {
  const request = pageRequest(query);
  const rows = await selectEndpointRows(ctx.sql, ctx.workspaceId, request, ctx.actor.phoneNumberIds);
  return { body: page(rows, request, renderEndpoint) };
}

/** One endpoint; 404 when the workspace has none of this id, here and in the verbs below. */
export async function getEndpoint(ctx: TxCtx, { params }: ById): Promise<Answer<WebhookEndpoint>> {
  return answerOf(await requireEndpoint(ctx, params.id));
}

/** Changes the fields that are given; `enabled` parks or releases the endpoint's deliveries. */
export async function updateEndpoint(
  ctx: TxCtx,
  { params, body, ifMatch }: ById & { body: WebhookEndpointChange; ifMatch?: string },
): Promise<Answer<WebhookEndpoint>> {
  const row = await lockMatchingEndpoint(ctx, params.id, ifMatch);
  const url = body.url === undefined ? row.url : allowedUrl(ctx, body.url);
  const after = await settingsOf(ctx, row.id, row, { ...body, url });
  // Another receiver has not failed.
  if (after.status === "failing" && url !== row.url) after.status = "active";
  return {
    ...answerOf(await updateEndpointRow(ctx.sql, ctx.workspaceId, row.id, after, ctx.now)),
    changes: {
      ...body,
      ...(body.url === undefined ? {} : { url: placeOf(url) }),
      ...(body.description === undefined ? {} : { description: CHANGED }),
      ...(body.verify_token === undefined ? {} : { verify_token: CHANGED }),
      ...(body.headers === undefined ? {} : { headers: after.header_names }),
    },
  };
}

/** Deletes an endpoint; its lane then drops the deliveries that are still open. */
export async function deleteEndpoint(
  ctx: TxCtx,
  { params, ifMatch }: ById & { ifMatch?: string },
): Promise<Answer<null>> {
  const row = await lockMatchingEndpoint(ctx, params.id, ifMatch);
  await deleteEndpointRow(ctx.sql, ctx.workspaceId, row.id);
  const resource = { type: "webhook_endpoint", id: formatId("whe", row.id) };
  return { body: null, resource, changes: { url: placeOf(row.url) } };
}

/**
 * Replaces the secret; the old one signs beside the new one during the overlap, and those that were replaced before until their own ends.
 * The new one is in this answer alone. 409 for more than `MOST_SECRETS`.
 */
export async function rotateSecret(
  ctx: TxCtx,
  { params, body }: ById & { body: SecretRotation },
): Promise<Answer<WebhookEndpointWithSecret>> {
  const row = await lockMatchingEndpoint(ctx, params.id, undefined);
  if (row.front_of !== null) throw new Problem("conflict", SIGNED_BY_WORKSPACE);
  const seconds = body.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS;
  const replaced = await secretsBesideNext(ctx, row.id, ctx.now + seconds * 1_000);
  if (replaced.length >= MOST_SECRETS) throw tooManySecrets(replaced);
  requireOfFormat(row, body);
  const { kept, shown } = keptSecret(body.secret);
  const sealed = ctx.secrets.seal(kept, secretContext(ctx.workspaceId, row.id));
  const answer = answerOf(await updateEndpointRowSecret(ctx.sql, ctx.workspaceId, row.id, sealed, replaced, ctx.now));
  return { ...answer, body: { ...answer.body, ...shown }, changes: { overlap_seconds: seconds } };
}

const SIGNED_BY_WORKSPACE =
  "This endpoint was set up through the Cloud API and is signed with the workspace's secret: change `front_app_secret` by PATCH /v1/workspace.";

/** The present secret, which ends then, and those replaced before, as far as they live on. */
async function secretsBesideNext(ctx: TxCtx, id: string, until: number): Promise<ReplacedSecret[]> {
  const [sealed] = await selectEndpointSecretRows(ctx.sql, ctx.workspaceId, [id]);
  if (!sealed) throw new Error("the endpoint that was just locked was not found");
  const all = [{ secret: sealed.secret, until }, ...replacedSecrets(sealed)];
  return all.filter((one) => one.until > ctx.now);
}

function tooManySecrets(replaced: readonly ReplacedSecret[]): Problem {
  const first = isoTime(Math.min(...replaced.map(({ until }) => until)));
  return new Problem(
    "conflict",
    `An endpoint has at most ${MOST_SECRETS} secrets at a time. The first of them ends at ${first}; \`overlap_seconds\` 0 replaces the present one at once.`,
  );
}

/**
 * Sends one `endpoint_test` event to this endpoint, whatever kinds it listens to, and returns its delivery; 409 when disabled. It is sent
 * beside the live events, which may be many, or wait until the endpoint has recovered.
 */
export async function testEndpoint(ctx: TxCtx, { params }: ById): Promise<Answer<Delivery>> {
  const endpoint = await requireEndpoint(ctx, params.id);
  if (!endpoint.enabled) throw new Problem("conflict", "The endpoint is disabled; enable it to send it a test event.");
  const state = { webhook_endpoint: endpoint, reason: "test" };
  const event = { id: newUuid(ctx.now), kind: TEST_KIND, endpointId: endpoint.id, state, now: ctx.now };
  const deliveryId = await insertTestEventRow(ctx.sql, ctx.workspaceId, event);
  const ask = {
    workspace_id: ctx.workspaceId,
    endpoint_id: endpoint.id,
    lane: endpoint.lane,
    delivery_id: deliveryId,
    event_id: event.id,
    replay_id: null,
    reopens: [],
    creates: true,
    advances: false,
    in_order: false,
    ahead: true,
  };
  await askReceiver(ctx.sql, ctx.workspaceId, endpoint.id, ctx.now);
  await callWithin(ctx.sql, askRedeliveries, [ask], ctx.now);
  const delivery = await findDelivery(ctx, deliveryId);
  if (!delivery) throw new Error("the test delivery that was just inserted was not found");
  const body = renderDelivery(delivery);
  return {
    body,
    headers: { location: `/v1/deliveries/${body.id}` },
    resource: { type: "webhook_endpoint", id: formatId("whe", endpoint.id) },
  };
}

/** The endpoint with the id in a path; 404 for an unknown one or another workspace's. */
export async function requireEndpoint(ctx: TxCtx, id: string): Promise<EndpointRow> {
  const row = await selectEndpointRow(ctx.sql, ctx.workspaceId, uuidOfPath("whe", id));
  if (row === null || !isWithin(ctx.actor, row)) throw notFound();
  return row;
}

/** The same, locked for this transaction; 412 when `ifMatch` names another version. */
async function lockMatchingEndpoint(
  ctx: TxCtx,
  id: string,
  ifMatch: string | undefined,
): Promise<EndpointRow & Sealed> {
  const row = await lockEndpointRow(ctx.sql, ctx.workspaceId, uuidOfPath("whe", id));
  if (row === null || !isWithin(ctx.actor, row)) throw notFound();
  requireMatch(ifMatch, etagOf(row.version));
  return row;
}

function answerOf(row: EndpointRow): Answer<WebhookEndpoint> {
  const body = renderEndpoint(row);
  return { body, headers: { etag: etagOf(row.version) }, resource: { type: "webhook_endpoint", id: body.id } };
}

/** What an endpoint is before its first request. */
export const NEW_ENDPOINT: Omit<EndpointUpdate, "url" | "is_limited" | keyof FormatColumns> = {
  description: null,
  ordered: false,
  timeout_seconds: DEFAULT_TIMEOUT_SECONDS,
  rate_per_second: null,
  phone_number_ids: null,
  business_account_ids: null,
  front_of: null,
  header_names: [],
  sealed_headers: null,
  enabled: true,
  status: "active",
  disabled_reason: null,
};

/** The settings of an endpoint after a request: what it gives, and the rest as it was. */
const settingsOf = async (
  ctx: TxCtx,
  id: string,
  before: Omit<EndpointUpdate, "url" | "is_limited">,
  body: WebhookEndpointChange & { url: string },
): Promise<EndpointUpdate> => ({
  url: body.url,
  ...changedFormat(ctx, id, before, body),
  description: body.description === undefined ? before.description : body.description,
  ordered: body.ordered ?? before.ordered,
  timeout_seconds: body.timeout_seconds ?? before.timeout_seconds,
  rate_per_second: body.rate_per_second === undefined ? before.rate_per_second : body.rate_per_second,
  ...(await changedLimits(ctx, before, body)),
  front_of: before.front_of,
  ...changedHeaders(ctx, id, before, body.headers),
  ...switched(before, body.enabled),
});

// Only a real change of `enabled` changes the status: `enabled: true` on a failing endpoint leaves it failing.
function switched(
  row: Pick<EndpointUpdate, "enabled" | "status" | "disabled_reason">,
  enabled: boolean | undefined,
): Pick<EndpointUpdate, "enabled" | "status" | "disabled_reason"> {
  if (enabled === undefined || enabled === row.enabled)
    return { enabled: row.enabled, status: row.status, disabled_reason: row.disabled_reason };
  return enabled
    ? { enabled, status: "active", disabled_reason: null }
    : { enabled, status: "disabled", disabled_reason: "requested" };
}
