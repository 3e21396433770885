import type { TxCtx } from "../../ctx.ts";
import { hasScope } from "../../http/caller.ts";
import { Problem } from "../../http/problem.ts";
import { keptSecret } from "./deliver/signature.ts";
import { secretContext } from "./deliver/signing-secrets.ts";
import { lockEndpointsOfWorkspace, updateEndpointRowSecret } from "./endpoints/endpoint.store.ts";
import {
  deleteFrontSecret,
  lockFrontEndpointIds,
  selectFrontSecret,
  upsertFrontSecret,
} from "./endpoints/front-endpoint.store.ts";
import { AppSecret } from "./provider-format/fields.ts";

/** As a body gives it. */
export const FrontSecret = AppSecret;

/**
 * Sets the secret that signs the endpoints which clients of the provider's API set up, or removes it; from then on every attempt is signed with
 * it alone. Returns whether it is another one. 409 for removing it while there are such endpoints.
 */
export async function changeFrontSecret(ctx: TxCtx, secret: string | null): Promise<boolean> {
  if (!hasScope(ctx.actor, "webhooks:write"))
    throw new Problem("forbidden", "This API key lacks the scope webhooks:write, which `front_app_secret` needs.");
  // With the endpoints' own lock: one that is being set up has the secret of before or is found below.
  await lockEndpointsOfWorkspace(ctx.sql, ctx.workspaceId);
  if ((await frontSecret(ctx)) === secret) return false;
  const ids = await lockFrontEndpointIds(ctx.sql, ctx.workspaceId);
  if (secret === null) {
    if (ids.length > 0)
      throw new Problem(
        "conflict",
        `The secret signs ${ids.length} endpoints that were set up through the Cloud API: delete these first, or set another secret.`,
      );
    await deleteFrontSecret(ctx.sql, ctx.workspaceId);
    return true;
  }
  await upsertFrontSecret(ctx.sql, ctx.workspaceId, ctx.secrets.seal(secret, contextOf(ctx.workspaceId)), ctx.now);
  for (const id of ids)
    await updateEndpointRowSecret(ctx.sql, ctx.workspaceId, id, sealedFor(ctx, id, secret), [], ctx.now);
  return true;
}

/** The secret of the workspace; null where none is set. */
export async function frontSecret({ sql, workspaceId, secrets }: TxCtx): Promise<string | null> {
  const sealed = await selectFrontSecret(sql, workspaceId);
  return sealed === null ? null : secrets.open(sealed, contextOf(workspaceId)).toString();
}

/** The secret as the row of an endpoint has it. */
export const sealedFor = ({ secrets, workspaceId }: TxCtx, endpointId: string, secret: string): Uint8Array =>
  secrets.seal(keptSecret(secret).kept, secretContext(workspaceId, endpointId));

const contextOf = (workspaceId: string): string => `front-secret:${workspaceId}`;
