import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JPEG } from "../../packages/server/src/features/media/testing/files.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { type Deployment, startDeployment } from "./deployment.ts";

let deployment: Deployment;
let folder: string;
beforeAll(async () => {
  deployment = await startDeployment();
  folder = await mkdtemp(join(tmpdir(), "waypost-media-"));
});
afterAll(async () => {
  await deployment.stop();
  await rm(folder, { recursive: true, force: true });
});

const arriving = (): Promise<string[]> => readdir(join(folder, "files/arriving")).catch(() => []);

test("kill -9 in the midst of an upload leaves no row, and a file that the next process sweeps once it is old", {
  timeout: 180_000,
}, async () => {
  const gateway = await deployment.serve({ WAYPOST_DATA_DIR: folder });
  const workspace = await deployment.connect(gateway);
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  const half = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.concat([Buffer.from(head), JPEG, Buffer.alloc(100_000)])),
  });
  const upload = fetch(`${gateway.url}/v1/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${workspace.key}`, "content-type": "multipart/form-data; boundary=b" },
    body: half,
    duplex: "half",
  } as RequestInit);
  const broken = upload.then(
    () => null,
    (error: Error) => error.message,
  );
  await expect.poll(arriving, { timeout: 10_000, interval: 20 }).toHaveLength(1);
  await gateway.end("SIGKILL");
  expect(await broken).toBe("fetch failed");
  const next = await deployment.serve({ WAYPOST_DATA_DIR: folder });
  expect((await callAs(next.url, workspace.key)("GET", "/v1/media")).body.data).toEqual([]);
  expect(await deployment.rows(workspace, "select from media_file")).toEqual([]);
  const [left] = await arriving();
  const then = new Date(Date.now() - 6 * 60_000);
  await utimes(join(folder, "files/arriving", left ?? ""), then, then);
  // A timer's first round comes within a minute.
  await expect.poll(arriving, { timeout: 90_000, interval: 500 }).toEqual([]);
});
