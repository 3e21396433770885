import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { S3_BUCKET, S3_KEY, S3Server } from "../../files/testing/s3-server.ts";
import { createLog } from "../../lib/log.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { JPEG, PNG } from "./testing/files.ts";
import { arrivingAt, filesOf, upload } from "./testing/uploading.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-scan-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a store that is away", () => {
  const server = new S3Server();
  const lines: string[] = [];
  let gateway: Gateway;
  let mine: Sender;
  beforeAll(async () => {
    const log = createLog("info", { to: { write: (line: string) => void lines.push(line) } });
    const env = {
      MEDIA_STORE: `s3://${S3_BUCKET}/files`,
      S3_ENDPOINT: await server.listen(),
      AWS_ACCESS_KEY_ID: S3_KEY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey,
    };
    gateway = await startGateway({ API_RATE_LIMIT: "off", ...env }, { log });
    mine = await gateway.sender();
  });
  afterAll(async () => {
    await gateway.stop();
    await server.close();
  });

  it("refuses uploads and content with 503 and nothing else; what it had is there when it is back", async () => {
    const kept = (await upload(gateway, mine, JPEG)).body;
    expect(server.objects.size).toBe(1);
    server.fault = "cut";
    const refused = await upload(gateway, mine, PNG, { headers: { "idempotency-key": "again" } });
    expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" }, headers: { "retry-after": "60" } });
    const answer = await mine.call("GET", `/v1/media/${kept.id}/content`);
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect((await mine.call("GET", `/v1/media/${kept.id}`)).status).toBe(200);
    expect((await mine.send("+15557300001")).status).toBe(202);
    expect(await mine.rows("select from media")).toHaveLength(1);
    expect(await arrivingAt(gateway)).toEqual([]);
    server.fault = null;
    expect((await mine.call("GET", `/v1/media/${kept.id}/content`)).status).toBe(200);
    expect((await upload(gateway, mine, PNG, { headers: { "idempotency-key": "again" } })).status).toBe(201);
  });

  it("writes no token of a signed address and nothing of a file into the log", async () => {
    const { id } = (await upload(gateway, mine, JPEG, { filename: "my-secret-name.jpg" })).body;
    const { content_url } = (await mine.call("GET", `/v1/media/${id}`)).body;
    const { pathname } = new URL(content_url);
    for (const path of [pathname, `${pathname}x`, `${pathname}/x`]) await fetch(gateway.url + path);
    const text = lines.join("");
    expect(text).toContain("/media/{token}");
    expect(text).not.toContain(pathname.split("/").at(-1));
    expect(text).not.toContain("my-secret-name");
    expect(text).not.toContain(S3_KEY.secretAccessKey);
  });
});

describe("MEDIA_SCAN_COMMAND", () => {
  let gateway: Gateway;
  let mine: Sender;
  beforeAll(async () => {
    const program = join(folder, "scan.mjs");
    const seen = join(folder, "seen");
    await writeFile(
      program,
      `import { appendFileSync, readFileSync } from "node:fs";
const path = process.argv.at(-1);
appendFileSync(${JSON.stringify(seen)}, path + "\\n");
process.exit(readFileSync(path, "latin1").includes("INFECTED") ? 1 : 0);`,
    );
    gateway = await startGateway({ API_RATE_LIMIT: "off", MEDIA_SCAN_COMMAND: `${process.execPath} ${program}` });
    mine = await gateway.sender();
  });
  afterAll(() => gateway.stop());

  it("sees each file before it is available; one that is not clean fails, with its event, and is not kept", async () => {
    expect(await upload(gateway, mine, JPEG)).toMatchObject({ status: 201, body: { status: "available" } });
    const before = await filesOf(gateway);
    const infected = await upload(gateway, mine, Buffer.concat([JPEG, Buffer.from("INFECTED")]));
    expect(infected).toMatchObject({
      status: 201,
      body: {
        status: "failed",
        error: { code: "media_failed", detail: expect.stringContaining("scanner"), retryable: false },
      },
    });
    const { id } = infected.body;
    expect((await mine.call("GET", `/v1/media/${id}`)).body).toMatchObject({ status: "failed", content_url: null });
    expect((await mine.call("GET", `/v1/media/${id}/content`)).status).toBe(409);
    const event = { category: "media", data: { media: { id }, message_id: null, contact_id: null } };
    const failures = async () => (await mine.call("GET", "/v1/events?kind=media_failed")).body.data;
    await expect.poll(failures, { timeout: 20_000 }).toMatchObject([event]);
    expect([await filesOf(gateway), await arrivingAt(gateway)]).toEqual([before, []]);
  });

  it("that cannot run is no verdict: the upload is refused with 503, and nothing stays", async () => {
    const missing = await startGateway({ MEDIA_SCAN_COMMAND: join(folder, "no-such-program") });
    const of = await missing.workspace();
    expect(await upload(missing, of, JPEG)).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect([await of.rows("select from media"), await filesOf(missing), await arrivingAt(missing)]).toEqual([
      [],
      [],
      [],
    ]);
    await missing.stop();
  });
});

it("a directory that takes no file refuses uploads with 503", async () => {
  const root = join(folder, "read-only");
  await writeFile(root, "");
  await chmod(root, 0o400);
  const gateway = await startGateway({ MEDIA_STORE: `file:${root}` });
  const of = await gateway.workspace();
  expect(await upload(gateway, of, JPEG)).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect((await of.call("GET", "/v1/media")).body.data).toEqual([]);
  await gateway.stop();
});
