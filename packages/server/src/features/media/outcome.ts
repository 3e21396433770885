import type { App } from "../../ctx.ts";
import { ALL_SLOTS } from "../../lanes/lane-kinds.ts";
import { emit } from "../events/event.ts";
import { MEDIA_EVENTS } from "./events.ts";
import { lockStoredFile } from "./files/file.store.ts";
import { type Outcome, updatePendingRow } from "./media.store.ts";
import type { KeptFile } from "./media-files.ts";
import { renderMedia } from "./render.ts";
import type { MediaError } from "./schema.ts";

type EndingApp = Pick<App, "db" | "clock" | "notifier">;

/**
 * Makes inbound media available with the file that was kept for it, and writes its event; `mimeType` where its content shows a type. False
 * when it is not pending any more: it was deleted, erased, or ended by another process. Safe to repeat.
 */
export async function completeInbound(
  app: EndingApp,
  workspaceId: string,
  mediaId: string,
  { fileId, size, sha256, mimeType }: KeptFile & { mimeType: string | null },
): Promise<boolean> {
  return await end(app, workspaceId, mediaId, { status: "available", fileId, size, sha256, mimeType });
}

/** Ends inbound media without a file, with its event. False and safe as above. */
export async function failInbound(
  app: EndingApp,
  workspaceId: string,
  mediaId: string,
  error: MediaError,
): Promise<boolean> {
  return await end(app, workspaceId, mediaId, { status: "failed", error });
}

async function end(
  { db, clock, notifier }: EndingApp,
  workspaceId: string,
  mediaId: string,
  outcome: Outcome,
): Promise<boolean> {
  const now = clock.now();
  const hasEnded = await db.transaction(workspaceId, async (sql) => {
    if (outcome.status === "available" && !(await lockStoredFile(sql, workspaceId, outcome.fileId)))
      throw new Error("the file was swept before its media was available");
    const row = await updatePendingRow(sql, workspaceId, mediaId, outcome, now);
    if (row === null) return false;
    await emit({ sql, workspaceId, now }, MEDIA_EVENTS, {
      kind: outcome.status === "available" ? "media_available" : "media_failed",
      resource: row.id,
      ...(row.contact_id === null ? {} : { contact: row.contact_id }),
      ...(row.message_id === null ? {} : { message: row.message_id }),
      ...(row.phone_number_id === null ? {} : { phoneNumber: row.phone_number_id }),
      state: { media: renderMedia(row), message_id: row.message_id, contact_id: row.contact_id },
      conversation: row.id,
    });
    return true;
  });
  if (hasEnded) notifier.hint("deliver", ALL_SLOTS);
  return hasEnded;
}
