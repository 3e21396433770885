import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JPEG, PDF } from "../../packages/server/src/features/media/testing/files.ts";
import { MediaHost } from "../../packages/server/src/features/media/testing/media-host.ts";
import { upload } from "../../packages/server/src/features/media/testing/uploading.ts";
import { parseId } from "../../packages/server/src/lib/ids.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const PERSON = "15557300001";

const host = new MediaHost();
let deployment: Deployment;
let folder: string;
let env: Record<string, string>;
/** The process that runs: each test kills it and leaves the next one. */
let gateway: Worker;
let workspace: Workspace;
beforeAll(async () => {
  deployment = await startDeployment();
  folder = await mkdtemp(join(tmpdir(), "waypost-media-"));
  env = { WAYPOST_DATA_DIR: folder, PROVIDER_BASE_URL: await host.listen() };
  host.target = deployment.provider.url;
  gateway = await deployment.serve(env);
  deployment.provider.setCallbackUrl(`${gateway.url}/webhooks/receive`);
  workspace = await deployment.connect(gateway);
});
afterAll(async () => {
  await deployment.stop();
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

const arriving = (): Promise<string[]> => readdir(join(folder, "files/arriving")).catch(() => []);
const call: ReturnType<typeof callAs> = (...args) => callAs(gateway.url, workspace.key)(...args);
const providerNumber = (): string => workspace.numbers[0]?.providerId ?? "";
async function startNext(): Promise<void> {
  gateway = await deployment.serve(env);
  deployment.provider.setCallbackUrl(`${gateway.url}/webhooks/receive`);
}

test("kill -9 in the midst of an upload leaves no row, and a file that the next process sweeps once it is old", {
  timeout: 60_000,
}, async () => {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
  const half = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.concat([Buffer.from(head), JPEG, Buffer.alloc(100_000)])),
  });
  const broken = fetch(`${gateway.url}/v1/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${workspace.key}`, "content-type": "multipart/form-data; boundary=b" },
    body: half,
    duplex: "half",
  } as RequestInit).then(
    () => null,
    (error: Error) => error.message,
  );
  await expect.poll(arriving, PATIENCE).toHaveLength(1);
  await gateway.end("SIGKILL");
  expect(await broken).toBe("fetch failed");
  const [left] = await arriving();
  const then = new Date(Date.now() - 6 * 60_000);
  await utimes(join(folder, "files/arriving", left ?? ""), then, then);
  await startNext();
  expect((await call("GET", "/v1/media")).body.data).toEqual([]);
  expect(await deployment.rows(workspace, "select from media_file")).toEqual([]);
  await expect.poll(arriving, PATIENCE).toEqual([]);
});

test("kill -9 in the midst of an upload to the provider: uploaded by the next process, and sent once", {
  timeout: 60_000,
}, async () => {
  const { provider } = deployment;
  provider.inbound({ phone_number_id: providerNumber(), from: PERSON, text: "Hi" });
  await expect.poll(async () => (await call("GET", "/v1/messages")).body.data.length, PATIENCE).toBe(1);
  const { id } = (await upload(gateway, workspace, PDF)).body;
  // The provider has the file; its answer never comes.
  provider.addFault({ kind: "hang", accept: true, operation: "upload_media" });
  const body = { to: `+${PERSON}`, type: "document", document: { id } };
  const message = (await call("POST", "/v1/messages", { body })).body;
  const uploaded = () => provider.files().filter(({ source }) => source === "upload");
  await expect.poll(uploaded, PATIENCE).toHaveLength(1);
  await gateway.end("SIGKILL");
  // As if the minute had passed for which no other process uploads.
  await withClient(deployment.database.url, async (client) => {
    await client.query("select set_config('app.workspace_id', $1, false)", [parseId("ws", workspace.id)]);
    const { rowCount } = await client.query(
      "update media_at_provider set lease_until = now() where provider_media_id is null and lease_until > now()",
    );
    expect(rowCount).toBe(1);
  });
  await startNext();
  const statusOf = async () => (await call("GET", `/v1/messages/${message.id}`)).body.status;
  await expect.poll(statusOf, PATIENCE).toBe("accepted");
  const [, second, ...more] = uploaded();
  expect(more).toEqual([]);
  const sent = deployment.requests().get(PERSON) ?? [];
  expect(sent.map(({ request }) => request)).toMatchObject([{ document: { id: second?.id } }]);
});

test("kill -9 while a file of a person is being read: the next process reads it again, whole", {
  timeout: 60_000,
}, async () => {
  const { provider } = deployment;
  let asked = 0;
  host.answer = (response) => {
    asked += 1;
    response.writeHead(200, { "content-type": "application/pdf", "content-length": String(PDF.length) });
    response.write(PDF.subarray(0, 10));
    return true;
  };
  const file = await provider.addFile({ phone_number_id: providerNumber(), mime_type: "application/pdf" }, PDF);
  const from = PERSON;
  provider.inbound({ phone_number_id: providerNumber(), from, type: "document", document: { id: file.id } });
  await expect.poll(arriving, PATIENCE).toHaveLength(1);
  await gateway.end("SIGKILL");
  host.answer = null;
  await startNext();
  const found = async () => (await call("GET", "/v1/media?source=inbound")).body.data;
  await expect.poll(async () => (await found())[0]?.status, PATIENCE).toBe("available");
  const [media, ...more] = await found();
  expect([asked, more]).toEqual([1, []]);
  const content = await fetch(`${gateway.url}/v1/media/${media.id}/content`, {
    headers: { authorization: `Bearer ${workspace.key}` },
  });
  expect(Buffer.from(await content.arrayBuffer())).toEqual(PDF);
  const events = (await call("GET", `/v1/events?message_id=${media.message_id}`)).body.data;
  expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(["messages", "media_available"]);
  expect(await deployment.rows(workspace, "select from media_fetch")).toEqual([]);
});
