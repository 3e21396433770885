import type { Actor, TxCtx } from "../../ctx.ts";
import { hasScope } from "../../http/caller.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { CHANGED, placeOf } from "../audit/fields.ts";
import {
  deleteEndpointRow,
  type EndpointRow,
  type EndpointUpdate,
  insertEndpointRow,
  lockEndpointRow,
  lockEndpointsOfWorkspace,
  updateEndpointRow,
} from "./endpoints/endpoint.store.ts";
import { lockPlace, NEW_ENDPOINT } from "./endpoints/endpoint.ts";
import { allowedUrl } from "./endpoints/endpoint-url.ts";
import { type FrontTarget, selectFrontEndpointRows, selectFrontTarget } from "./endpoints/front-endpoint.store.ts";
import { frontSecret, sealedFor } from "./front-secret.ts";
import { kindsOfFields, PROVIDER_FIELDS } from "./provider-format/fields.ts";
import { verifyTokenContext } from "./provider-format/settings.ts";
import { renderEndpoint } from "./render.ts";
import type { WebhookEndpoint } from "./schema.ts";

/** The uuid of the business account or of the number whose events an endpoint gets. */
export type FrontOf = { accountId: string } | { numberId: string };
/** `url` and `verifyToken` as the client gives them. */
export type FrontEndpoint = { of: FrontOf; url: string; verifyToken: string };
/** URLs; null where none is set up, or the caller may not see it. */
export type FrontEndpoints = Record<"of_number" | "of_account", string | null>;

/**
 * Creates the endpoint of an account or a number for a client of the provider's API, or changes its URL and token: one for each, which gets
 * all fields. The endpoint of a number gets the number's events in place of the account's. 404 for what the workspace does not have, 409
 * without `front_app_secret`, and for more endpoints than a workspace has.
 */
export async function setFrontEndpoint(
  ctx: TxCtx,
  { of, url: given, verifyToken }: FrontEndpoint,
): Promise<Answer<WebhookEndpoint>> {
  requireFront(ctx.actor, of);
  const url = allowedUrl(ctx, given);
  // Two at once: the second one finds the endpoint of the first.
  await lockEndpointsOfWorkspace(ctx.sql, ctx.workspaceId);
  const target = await requireTarget(ctx, of);
  const secret = await frontSecret(ctx);
  if (secret === null) throw withoutSecret();
  const found = await lockFrontEndpoint(ctx, of);
  const id = found?.id ?? newUuid(ctx.now);
  const verify_token = ctx.secrets.seal(verifyToken, verifyTokenContext(ctx.workspaceId, id));
  const row =
    found === null
      ? await addEndpoint(ctx, target, { id, url, verify_token, secret: sealedFor(ctx, id, secret) })
      : await updateEndpointRow(
          ctx.sql,
          ctx.workspaceId,
          id,
          { ...found, ...opened(found, url), url, verify_token, is_limited: true },
          ctx.now,
        );
  const body = renderEndpoint(row);
  return {
    body,
    resource: { type: "webhook_endpoint", id: body.id },
    changes: { ...publicLimits(target), url: placeOf(url), verify_token: CHANGED },
  };
}

/** Deletes the endpoint that was set up for an account or a number, if there is one; its open deliveries are dropped. */
export async function removeFrontEndpoint(ctx: TxCtx, of: FrontOf): Promise<Answer<null>> {
  requireFront(ctx.actor, of);
  const target = await requireTarget(ctx, of);
  const found = await lockFrontEndpoint(ctx, of);
  if (found === null) return { body: null };
  await deleteEndpointRow(ctx.sql, ctx.workspaceId, found.id);
  return {
    body: null,
    resource: { type: "webhook_endpoint", id: formatId("whe", found.id) },
    changes: { ...publicLimits(target), url: placeOf(found.url) },
  };
}

/** The URLs that were set up for an account, or for a number and its account, as far as the caller may see them. */
export async function getFrontEndpoints(ctx: TxCtx, of: FrontOf): Promise<Answer<FrontEndpoints>> {
  if ("numberId" in of && !isWithinFront(ctx.actor, of)) throw notFound();
  const { id, is_number, account_id } = await requireTarget(ctx, of);
  const ofAccount = isWithinFront(ctx.actor, { accountId: account_id });
  const rows = await selectFrontEndpointRows(ctx.sql, ctx.workspaceId, [id, account_id]);
  const urlOf = (uuid: string): string | null => rows.find(({ front_of }) => front_of === uuid)?.url ?? null;
  return { body: { of_number: is_number ? urlOf(id) : null, of_account: ofAccount ? urlOf(account_id) : null } };
}

/** 403 for a caller that may not set up or remove what is of an account or a number; 404 for a number that is not the caller's. */
export function requireFront(actor: Actor, of: FrontOf): void {
  if (!hasScope(actor, "webhooks:write"))
    throw new Problem("forbidden", "This API key lacks the scope webhooks:write.");
  if (isWithinFront(actor, of)) return;
  if ("numberId" in of) throw notFound();
  throw new Problem(
    "forbidden",
    "This API key is limited to phone numbers, and this is not about a phone number alone: use a key without phone_number_ids.",
  );
}

const isWithinFront = ({ phoneNumberIds: own }: Pick<Actor, "phoneNumberIds">, of: FrontOf): boolean =>
  own === null || ("numberId" in of && own.includes(of.numberId));

/** 409: there is nothing to sign with. */
export const withoutSecret = (): Problem =>
  new Problem(
    "conflict",
    'The workspace has no secret that signs these callbacks: set the app secret that your receiver checks with, by PATCH /v1/workspace {"front_app_secret":"…"}.',
  );

export const uuidOf = (of: FrontOf): string => ("accountId" in of ? of.accountId : of.numberId);

async function requireTarget({ sql, workspaceId }: TxCtx, of: FrontOf): Promise<FrontTarget> {
  const target = await selectFrontTarget(sql, workspaceId, uuidOf(of));
  if (target === null || target.is_number !== "numberId" in of) throw notFound();
  return target;
}

async function lockFrontEndpoint({ sql, workspaceId }: TxCtx, of: FrontOf) {
  const [found] = await selectFrontEndpointRows(sql, workspaceId, [uuidOf(of)]);
  // One that was deleted meanwhile is none.
  return found === undefined ? null : await lockEndpointRow(sql, workspaceId, found.id);
}

async function addEndpoint(
  ctx: TxCtx,
  { id: of, is_number, provider_id }: FrontTarget,
  made: Pick<EndpointUpdate, "url" | "verify_token"> & { id: string; secret: Uint8Array },
): Promise<EndpointRow> {
  await lockPlace(ctx);
  return await insertEndpointRow(ctx.sql, ctx.workspaceId, {
    ...NEW_ENDPOINT,
    ...made,
    events: kindsOfFields(PROVIDER_FIELDS),
    fields: [...PROVIDER_FIELDS],
    description: `Cloud API: ${is_number ? "webhook_configuration" : "subscribed_apps"} of ${provider_id}`,
    ...(is_number ? { phone_number_ids: [of] } : { business_account_ids: [of] }),
    is_limited: true,
    front_of: of,
    now: ctx.now,
  });
}

/**
 * What setting it up again does to an endpoint that failed: its client knows no other way to open it. One that was disabled on request stays
 * so.
 */
function opened(row: EndpointRow, url: string): Pick<EndpointRow, "enabled" | "status" | "disabled_reason"> {
  const { enabled, status, disabled_reason } = row;
  const hasFailed = !enabled && disabled_reason !== "requested";
  return hasFailed || (status === "failing" && url !== row.url)
    ? { enabled: true, status: "active", disabled_reason: null }
    : { enabled, status, disabled_reason };
}

const publicLimits = ({ id, is_number }: FrontTarget) =>
  is_number ? { phone_number_ids: [formatId("num", id)] } : { business_account_ids: [formatId("acc", id)] };
