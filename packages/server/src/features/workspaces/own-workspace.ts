import type { TxCtx } from "../../ctx.ts";
import type { Answer } from "../../http/route.ts";
import { CHANGED } from "../audit/fields.ts";
import { changeFrontSecret } from "../webhooks/front-secret.ts";
import { changeKeywords } from "./keywords.ts";
import type { OwnWorkspace, OwnWorkspaceChange } from "./schema.ts";
import { getOwnWorkspace } from "./workspace.ts";

/** Changes the settings of the caller's workspace that are given. */
export async function updateOwnWorkspace(
  ctx: TxCtx,
  { body }: { body: OwnWorkspaceChange },
): Promise<Answer<OwnWorkspace>> {
  const keywords = await changeKeywords(ctx, body);
  const { front_app_secret: secret } = body;
  const isOther = secret !== undefined && (await changeFrontSecret(ctx, secret));
  const changes = isOther ? { ...keywords, front_app_secret: CHANGED } : keywords;
  return { ...(await getOwnWorkspace(ctx)), changes };
}
