import type { App } from "../ctx.ts";
import type { FileStore } from "../files/file-store.ts";

/**
 * Notes in which directory this process keeps media, and logs a warning where a process that runs keeps it in another one, as on two hosts
 * without a directory in common: what one stores the other cannot read. `worker` is the id of this process.
 */
export async function warnOfOtherDirectories(
  { db: { sql }, log }: Pick<App, "db" | "log">,
  store: FileStore,
  worker: string,
): Promise<void> {
  const own = await store.identity();
  if (own === null) return;
  await sql.run("update worker set directory_id = $2 where id = $1", [worker, own]);
  const others = await sql.query<{ id: string }>(
    "select id from worker where directory_id <> $1 and expires_at > clock_timestamp()",
    [own],
  );
  if (others.length > 0)
    log.warn(
      { setting: "MEDIA_STORE", workers: others.map(({ id }) => id) },
      "another process keeps media in a directory that this one does not share: mount one directory on all hosts, or name a bucket",
    );
}
