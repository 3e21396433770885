import type { CallCtx } from "../../../http/call.ts";
import { invalidAt, Problem, problemAt } from "../../../http/problem.ts";
import { parseId } from "../../../lib/ids.ts";
import { providerProblem } from "../../accounts/provider-problem.ts";
import { readAccess } from "../../accounts/token.ts";
import { findMedia, type KnownMedia } from "../../media/media.ts";
import type { MediaFiles } from "../../media/media-files.ts";
import { mediaOfHandle } from "../uploads/handle.ts";

const AT = "/profile_picture_handle";
/** What a picture may be (Cloud API documentation, business profiles). */
const TYPES = ["image/jpeg", "image/png"];
const MOST_BYTES = 5 * 1_048_576;
/** It is a matter of tenths of a second, and the change of the profile follows. */
const UPLOAD_WITHIN_MS = 15_000;

/** The provider's handle of a picture that was uploaded here; null for a handle that is no upload of ours. */
export async function handleOfPicture(
  ctx: CallCtx,
  { files, accountId, handle }: { files: MediaFiles; accountId: string; handle: unknown },
): Promise<string | null> {
  const mediaId = typeof handle === "string" ? mediaOfHandle(handle) : null;
  if (mediaId === null) return null;
  if (ctx.config.PROVIDER_APP_ID === null)
    throw invalidAt(
      AT,
      "The gateway has no PROVIDER_APP_ID to upload a picture with. Give a handle of the provider's.",
    );
  const { fileId, type, bytes } = await requirePicture(ctx, mediaId);
  const access = await readAccess(ctx, ctx.workspaceId, accountId);
  if (access === null)
    throw new Problem("sender_unavailable", "The business account is not connected. Connect it again.");
  const content = await files.open(ctx.workspaceId, fileId, { start: 0, end: bytes - 1 });
  const late = new AbortController();
  const cancel = ctx.clock.after(UPLOAD_WITHIN_MS, () => late.abort());
  const sample = { name: `picture.${type.slice("image/".length)}`, type, bytes, content };
  const answer = await ctx.provider.uploadSample({ ...access, sample, signal: late.signal }).finally(() => {
    cancel();
    content.destroy();
  });
  if (answer.ok) return answer.value;
  throw providerProblem(answer.error, "The picture was not uploaded, and the profile was not changed");
}

async function requirePicture(
  { db, workspaceId, actor }: CallCtx,
  mediaId: string,
): Promise<{ fileId: string; type: string; bytes: number }> {
  const uuid = parseId("med", mediaId) ?? "";
  const found = await db.read(workspaceId, (sql) => findMedia(sql, workspaceId, [uuid], actor.phoneNumberIds));
  const { fileId, mimeType, size } = found[0] ?? NO_MEDIA;
  if (fileId === null || mimeType === null || size === null)
    throw problemAt("media_not_found", AT, "There is no such picture, or it is not available.");
  if (!TYPES.includes(mimeType) || size > MOST_BYTES)
    throw invalidAt(
      AT,
      `The file is of the type ${mimeType} and has ${size} bytes. Give a JPEG or PNG of at most 5 MB.`,
    );
  return { fileId, type: mimeType, bytes: size };
}

const NO_MEDIA: Pick<KnownMedia, "fileId" | "mimeType" | "size"> = { fileId: null, mimeType: null, size: null };
