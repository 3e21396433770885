import type { Ctx } from "../../../ctx.ts";
import type { RequestKey } from "../../../http/idempotency.ts";
import type { Message } from "../../messages/schema.ts";
export class PublicIds {
  async decide(_ctx: Ctx, message: Message): Promise<{ publicId: string | null }> {
    if (message.status === "failed") return { publicId: null };
    return { publicId: message.provider_message_id ?? "wamid.minted" };
  }
}
export async function findMessageByPublicId(
  ctx: Ctx,
  workspaceId: string,
  text: string,
): Promise<{ messageId: string } | null> {
  return await ctx.db.read(workspaceId, async (sql) => {
    const rows = await sql.query<{ id: string }>(
      "select id from message_state where workspace_id = $1 and provider_message_id = $2",
      [workspaceId, text],
    );
    return rows[0] ? { messageId: rows[0].id } : null;
  });
}
export const dedupeKey = (_ctx: Ctx, _of: object): RequestKey | undefined => undefined;
