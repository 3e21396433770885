import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { withClient } from "../packages/server/src/testing/client.ts";
import type { Server } from "./server.ts";

const run = promisify(execFile);

/** A disk of its own for the tables of a database, which can be filled. The log (pg_wal) stays on the other one. */
export type SmallDisk = {
  /** Until no byte more fits. */
  fill(): Promise<void>;
  free(): Promise<void>;
  close(): Promise<void>;
};

/** Above what an empty database takes, and little enough to be filled in a moment. */
const SIZE = "192m";
const CHUNK = Buffer.alloc(1024 * 1024);

/** Moves the database there; there must be no connections. Needs root, because it mounts. */
export async function moveToSmallDisk(server: Server): Promise<SmallDisk> {
  if (process.getuid?.() !== 0) throw new Error("mounting a disk that can be filled takes root");
  const disk = await mkdtemp(join(tmpdir(), "waypost-small-"));
  await run("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=755`, "tmpfs", disk]);
  const close = async (): Promise<void> => {
    // The server still holds files in it: the disk is removed when no file in it is open.
    await run("umount", ["--lazy", disk]);
    await rm(disk, { recursive: true, force: true });
  };
  try {
    await moveTo(join(disk, "space"), server);
  } catch (error) {
    await close();
    throw error;
  }
  const filler = join(disk, "filler");
  return {
    async fill() {
      const file = await open(filler, "w");
      try {
        for (let step = CHUNK; ; ) {
          const { bytesWritten } = await file.write(step).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== "ENOSPC") throw error;
            return { bytesWritten: 0 };
          });
          if (bytesWritten === step.length) continue;
          if (step.length === 1) return;
          step = step.subarray(0, Math.max(1, Math.floor(step.length / 2)));
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    close,
  };
}

async function moveTo(space: string, { url, adminUrl }: Server): Promise<void> {
  await mkdir(space);
  const name = new URL(url).pathname.slice(1);
  await withClient(Object.assign(new URL(adminUrl), { pathname: "postgres" }).href, async (client) => {
    const { rows } = await client.query<{ directory: string }>("select current_setting('data_directory') as directory");
    const { uid, gid } = await stat(rows[0]?.directory ?? "");
    await chown(space, uid, gid);
    await client.query(`create tablespace small location '${space}'`);
    await client.query(`alter database "${name}" set tablespace small`);
  });
}
