import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DirectoryStore } from "../files/directory-store.ts";
import { newUuid } from "../lib/ids.ts";
import { createLog } from "../lib/log.ts";
import { type Gateway, startGateway } from "../testing/gateway.ts";
import { warnOfOtherDirectories } from "./shared-directory.ts";

let gateway: Gateway;
let folder: string;
beforeAll(async () => {
  gateway = await startGateway({ MEDIA_STORE: "file:" });
  folder = await mkdtemp(join(tmpdir(), "waypost-shared-"));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a process that starts with this directory logs. */
async function warned(directory: string): Promise<string[]> {
  const lines: string[] = [];
  const { db } = gateway.app;
  const worker = newUuid(Date.now());
  await db.sql.run(
    "insert into worker (id, roles, version, expires_at) values ($1, '{}', '0', clock_timestamp() + interval '1 minute')",
    [worker],
  );
  const log = createLog("info", { to: { write: (line: string) => void lines.push(line) } });
  await warnOfOtherDirectories({ db, log }, new DirectoryStore(directory), worker);
  await db.sql.run("delete from worker where id = $1", [worker]);
  return lines.map((line) => JSON.parse(line).msg);
}

it("warns of a process that keeps media elsewhere, not of one that shares the directory", async () => {
  expect(await warned(join(gateway.app.config.WAYPOST_DATA_DIR, "files"))).toEqual([]);
  expect(await warned(folder)).toEqual([expect.stringContaining("does not share")]);
});
