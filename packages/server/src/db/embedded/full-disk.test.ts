import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startEmbedded } from "./embedded.ts";

const run = promisify(execFile);

// Too small for a cluster. Mounting takes root; elsewhere there is no disk to fill.
let disk = "";
let mounted = false;
beforeEach(async () => {
  disk = await mkdtemp(join(tmpdir(), "waypost-disk-"));
  mounted = await run("mount", ["-t", "tmpfs", "-o", "size=2m,mode=777", "tmpfs", disk]).then(
    () => true,
    () => false,
  );
  await chmod(disk, 0o777);
});
afterEach(async () => {
  if (mounted) await run("umount", [disk]);
  await rm(disk, { recursive: true, force: true });
});

it("a disk that fills while the cluster is created, or is full before, is reported in one line", async (context) => {
  if (!mounted) return context.skip("no file system can be mounted here");
  const begin = () => startEmbedded({ dataDir: join(disk, "data"), durable: false });
  await expect(begin()).rejects.toThrow(/^The database could not be created in .*: .*No space left on device$/);
  await writeFile(join(disk, "full"), Buffer.alloc(4 * 1024 * 1024)).catch(() => {});
  await expect(begin()).rejects.toThrow(
    /^The data directory .* cannot be used.*: no space left\. Make room, or name another/,
  );
});
