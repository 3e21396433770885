import type { App } from "../../../ctx.ts";
import type { FileStore } from "../../../files/file-store.ts";
import { HOUR_MS } from "../../../lib/duration.ts";
import { selectActiveIds, sweepDue, sweepOf } from "../../tasks/long-task.sql.ts";
import { IMPORTS } from "./import.store.ts";
import { IMPORT_FILES } from "./receive.ts";

export const SWEEP_EVERY_MS = 60_000;
export const SWEEP_FILES_EVERY_MS = HOUR_MS;
/** An upload takes an hour at most; its row is committed behind it. */
const FILE_MAY_BE_NEW_MS = 2 * HOUR_MS;

/** Public text. */
const GIVEN_UP = {
  code: "crashed",
  detail:
    "Reading the file failed again and again. Rows that are counted were imported; import the rest in another file.",
};

export const sweepImports = sweepOf("sweep_imports", IMPORTS);

/** Ends imports whose reading was given up, and deletes what is old. */
export const sweepDueImports = (app: Pick<App, "db" | "clock">): Promise<void> => sweepDue(app, sweepImports, GIVEN_UP);

/** Deletes files that no import needs: of uploads that broke off, of imports whose process was killed at their end, of deleted workspaces. */
export async function sweepFiles({ db, log }: Pick<App, "db" | "log">, files: FileStore): Promise<void> {
  const swept = await files.sweep(IMPORT_FILES, Date.now() - FILE_MAY_BE_NEW_MS, (workspaceId, ids) =>
    db.read(workspaceId, (sql) => selectActiveIds(sql, IMPORTS, workspaceId, ids)),
  );
  if (swept > 0) log.info({ files: swept }, "files of imports were swept");
}
