import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { type Gateway, startGateway } from "../../../testing/gateway.ts";
import { JPEG, PDF } from "../testing/files.ts";
import { filesOf, upload } from "../testing/uploading.ts";

const folder = await mkdtemp(join(tmpdir(), "waypost-scan-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

let gateway: Gateway | null = null;
afterEach(() => gateway?.stop());

/** A gateway whose files a script looks at. */
async function scanning(script: string): Promise<Gateway> {
  const path = join(folder, "scan");
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o700);
  gateway = await startGateway({ MEDIA_SCAN_COMMAND: `${path} --quiet` });
  return gateway;
}
const seen = (): Promise<string> => readFile(join(folder, "seen"), "utf8");

it("a program sees each file, and neither our settings nor a way into the log", async () => {
  vi.stubEnv("WAYPOST_ENCRYPTION_KEY", "of-the-gateway");
  vi.stubEnv("OF_THE_PROGRAM", "set");
  const started = await scanning(`(env; echo "$@") > ${folder}/seen; cmp -s "$2" ${folder}/bad && exit 1; exit 0`);
  await writeFile(join(folder, "bad"), PDF);
  const mine = await started.workspace();
  expect((await upload(started, mine, JPEG)).body).toMatchObject({ status: "available", type: "image" });
  expect(await seen()).toMatch(/OF_THE_PROGRAM=set[^]*--quiet \/.*files\/arriving\//);
  expect(await seen()).not.toContain("of-the-gateway");
  const files = await filesOf(started);
  expect((await upload(started, mine, PDF)).body).toMatchObject({ status: "failed", error: { code: "media_failed" } });
  expect(await filesOf(started)).toEqual(files);
  vi.unstubAllEnvs();
});

it("without the program nothing is taken, and nothing stays", async () => {
  gateway = await startGateway({ MEDIA_SCAN_COMMAND: "/nowhere/scan" });
  const refused = await upload(gateway, await gateway.workspace(), JPEG);
  expect([refused.status, refused.body.code, await filesOf(gateway)]).toEqual([503, "unavailable", []]);
});

it("one that hangs ends with the process, and what it has started too", async () => {
  const started = await scanning(`sleep 1000 & echo $! > ${folder}/seen; wait`);
  await rm(join(folder, "seen"), { force: true });
  const mine = await started.sender();
  const phone_number_id = mine.account.providerPhoneNumberId;
  const { id } = await started.simulator.addFile({ phone_number_id, mime_type: "application/pdf" }, PDF);
  started.simulator.inbound({ phone_number_id, from: "+15554440001", type: "document", document: { id } });
  await expect.poll(() => seen().catch(() => ""), { timeout: 10_000 }).toMatch(/\d+\n/);
  const pid = Number(await seen());
  expect(await isRunning(pid)).toBe(true);
  await started.stop();
  await expect.poll(() => isRunning(pid)).toBe(false);
}, 60_000);

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // In a container nobody may ask for the end of a process whose parent is gone.
  return !/\) Z /.test(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""));
}
