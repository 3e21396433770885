import type { TxCtx } from "../../../ctx.ts";
import { FileStoreUnavailable } from "../../../files/file-store.ts";
import type { Answer } from "../../../http/route.ts";
import { newUuid } from "../../../lib/ids.ts";
import { emit } from "../../events/event.ts";
import { MEDIA_EVENTS } from "../events.ts";
import { lockStoredFile } from "../files/file.store.ts";
import { insertUploadRow } from "../media.store.ts";
import { renderMedia } from "../render.ts";
import type { Media, MediaError } from "../schema.ts";
import type { ReceivedMedia } from "./receive.ts";

/** Public text. */
export const NOT_CLEAN: MediaError = {
  code: "media_failed",
  detail: "The gateway's scanner refused the file, which was not kept.",
  retryable: false,
};

/** Stores an upload whose file was received; one that was not clean is `failed`, with its event. */
export async function createMedia(ctx: TxCtx, _input: unknown, received: ReceivedMedia | null): Promise<Answer<Media>> {
  const { sql, workspaceId, now, secrets } = ctx;
  // Its key was known when the file arrived, and is not now: the seven days have passed meanwhile.
  if (received === null) throw new FileStoreUnavailable("the file of a repeated request was not kept");
  const { fileType, filename, size, sha256, file } = received;
  if (file !== null && !(await lockStoredFile(sql, workspaceId, file.fileId)))
    throw new FileStoreUnavailable("the file was swept before its row was written");
  const row = await insertUploadRow(sql, workspaceId, {
    id: newUuid(now),
    type: fileType.type,
    mime_type: fileType.mimeType,
    size,
    sha256,
    filename,
    file_id: file?.fileId ?? null,
    error: file === null ? NOT_CLEAN : null,
    now,
  });
  const body = renderMedia(row);
  if (file === null)
    await emit(ctx, MEDIA_EVENTS, {
      kind: "media_failed",
      resource: row.id,
      state: { media: body },
      conversation: row.id,
    });
  return {
    body,
    headers: { location: `/v1/media/${body.id}` },
    resource: { type: "media", id: body.id },
    // Of the content a digest that cannot be compared with a file without the key.
    changes: { type: body.type, mime_type: body.mime_type, size, digest: secrets.digest(sha256) },
  };
}
