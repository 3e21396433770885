import type { App } from "../../../ctx.ts";
import type { FileStore } from "../../../files/file-store.ts";
import type { Spool } from "../../../files/spool.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/duration.ts";
import { MEDIA_AREA, type MediaFiles } from "../media-files.ts";
import { deleteFileRow, selectDueFiles, selectFileIds } from "./file.store.ts";

export const SWEEP_FILES_EVERY_MS = 5_000;
/** A call and the deletions behind it take seconds. */
const FILES_A_CALL = 100;

/** Deletes the files that are due and that no media names: of transfers that were killed, of media that was deleted, erased or swept. */
export async function sweepFiles(
  { db, clock, log }: Pick<App, "db" | "clock" | "log">,
  files: MediaFiles,
): Promise<void> {
  for (;;) {
    const due = await selectDueFiles(db, FILES_A_CALL, clock.now());
    for (const { workspace_id: workspaceId, id } of due) {
      await files.delete(workspaceId, id); // while the store is away they stay due
      await db.transaction(workspaceId, (sql) => deleteFileRow(sql, workspaceId, id));
    }
    if (due.length > 0) log.info({ files: due.length }, "files of media were deleted");
    if (due.length < FILES_A_CALL) return;
  }
}

export const SWEEP_SPOOL_EVERY_MS = 2 * 60_000;
/** A process that was killed is mostly started again at once, and its disk may be full. */
export const SWEEP_SPOOL_FIRST_MS = 5_000;
/** An upload that is going on is written to at least once a minute; a program may look at a file for two. */
const SPOOL_MAY_BE_NEW_MS = 5 * 60_000;

/** Deletes what processes that were killed have left on this machine. By its clock, which the files have. */
export async function sweepSpool({ log }: Pick<App, "log">, spool: Spool): Promise<void> {
  const swept = await spool.sweep(Date.now() - SPOOL_MAY_BE_NEW_MS);
  if (swept > 0) log.info({ files: swept }, "files that had not arrived were swept");
}

export const SWEEP_STORE_EVERY_MS = DAY_MS;
/** The row of a file comes first: one without a row is left of another database. */
const FILE_MAY_BE_NEW_MS = HOUR_MS;

/** Deletes what no row knows: of workspaces that were deleted, and of a database that was restored from a backup. */
export async function sweepStore({ db, log }: Pick<App, "db" | "log">, store: FileStore): Promise<void> {
  const swept = await store.sweep(MEDIA_AREA, Date.now() - FILE_MAY_BE_NEW_MS, (workspaceId, ids) =>
    db.read(workspaceId, (sql) => selectFileIds(sql, workspaceId, ids)),
  );
  if (swept > 0) log.info({ files: swept }, "files that no row knows were swept");
}
