import type { App } from "../../../ctx.ts";
import type { FileStore } from "../../../files/file-store.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/duration.ts";
import { selectActiveImportIds } from "./import.store.ts";
import { IMPORT_FILES } from "./receive.ts";
import { sweepImports } from "./sweep.store.ts";

export const SWEEP_EVERY_MS = 60_000;
export const SWEEP_FILES_EVERY_MS = HOUR_MS;
/** An ended import can be read for so long, with its errors. */
const IMPORT_KEPT_MS = 30 * DAY_MS;
/** An upload takes an hour at most; its row is committed behind it. */
const FILE_MAY_BE_NEW_MS = 2 * HOUR_MS;
/** A task is committed with its import: without one after so long there is none. */
const TASK_MAY_BE_NEW_MS = 60_000;
/** A round has an end. */
const MOST_CALLS = 50;

/** Public text. */
const GIVEN_UP = {
  code: "crashed",
  detail:
    "Reading the file failed again and again. Rows that are counted were imported; import the rest in another file.",
};

/** Ends what will not end by itself, and deletes what is old; several processes may do so at once. */
export async function sweepDue({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const now = clock.now();
  const row = {
    error: GIVEN_UP,
    ended_before: new Date(now - IMPORT_KEPT_MS).toISOString(),
    begun_before: new Date(now - TASK_MAY_BE_NEW_MS).toISOString(),
  };
  for (let call = 0; call < MOST_CALLS; call++) {
    const [answer] = await db.call(sweepImports, [row], now);
    if ((answer?.swept ?? 0) === 0) return;
  }
}

/** Deletes files that no import needs: of uploads that broke off, of imports whose process was killed at their end, of deleted workspaces. */
export async function sweepFiles({ db, log }: Pick<App, "db" | "log">, files: FileStore): Promise<void> {
  const swept = await files.sweep(IMPORT_FILES, Date.now() - FILE_MAY_BE_NEW_MS, (workspaceId, ids) =>
    db.read(workspaceId, (sql) => selectActiveImportIds(sql, workspaceId, ids)),
  );
  if (swept > 0) log.info({ files: swept }, "files of imports were swept");
}
