import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callAs, type Reply } from "../../packages/server/src/testing/call.ts";
import { sized } from "../../packages/server/src/testing/size.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";

/** `IMPORT_ROWS=1000000` is a file of full size, with ten kills and a thousand bad rows; it takes ten minutes. */
const ROWS = Number(process.env["IMPORT_ROWS"] ?? sized(6_000, 20_000));
/** Each of these rows has no number. */
const BAD_EVERY = Math.max(200, ROWS / 1_000);
const KILLS = ROWS > 20_000 ? 10 : sized(2, 5);
const OTHER_ROWS = 1_000;

let deployment: Deployment;
let folder: string;
beforeAll(async () => {
  deployment = await startDeployment();
  folder = await mkdtemp(join(tmpdir(), "waypost-import-"));
});
afterAll(async () => {
  await deployment.stop();
  await rm(folder, { recursive: true, force: true });
});

const serve = (): Promise<Worker> => deployment.serve({ WAYPOST_DATA_DIR: folder });
const fileOf = (rows: number, first: number, badEvery = Number.POSITIVE_INFINITY): string =>
  `phone,name\r\n${Array.from({ length: rows }, (_, n) => `${n % badEvery === badEvery - 1 ? "12" : `+1555${first + n}`},"Name ""${n}"""\r\n`).join("")}`;

async function upload(gateway: Worker, { key }: Workspace, body: string): Promise<string> {
  const headers = { "content-type": "text/csv" };
  const reply = await callAs(gateway.url, key)("POST", "/v1/contacts/imports", { headers, body });
  expect(reply.status).toBe(202);
  return reply.body.id;
}
const read = async (gateway: Worker, { key }: Workspace, id: string): Promise<Reply["body"]> =>
  (await callAs(gateway.url, key)("GET", `/v1/contacts/imports/${id}`)).body;

test("kill -9 again and again in the midst of an import: each row once, exact counts, every bad row by its line", {
  timeout: sized(240_000, 900_000) + ROWS,
}, async () => {
  let gateway = await serve();
  const workspace = await deployment.connect(gateway);
  const id = await upload(gateway, workspace, fileOf(ROWS, 2_000_000, BAD_EVERY));
  let reached = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // Somewhere in a step: a random moment after some progress.
    await expect
      .poll(async () => (await read(gateway, workspace, id)).progress.rows, { timeout: 60_000 + ROWS, interval: 20 })
      .toBeGreaterThan(reached + ROWS / (4 * KILLS));
    await sleep(Math.random() * 300);
    await gateway.end("SIGKILL");
    const [row] = await deployment.rows<{ rows: number }>(workspace, "select rows::int from contact_import");
    reached = row?.rows ?? 0;
    gateway = await serve();
  }
  expect(reached).toBeGreaterThan(0);
  expect(reached).toBeLessThan(ROWS);
  await expect
    .poll(async () => (await read(gateway, workspace, id)).status, { timeout: 150_000 + ROWS, interval: 250 })
    .toBe("completed");
  const bad = ROWS / BAD_EVERY;
  const done = await read(gateway, workspace, id);
  expect(done.progress).toMatchObject({ rows: ROWS, created: ROWS - bad, updated: 0, failed: bad });
  expect(done.progress.bytes).toBe(done.progress.total_bytes);
  const [counts] = await deployment.rows(
    workspace,
    `select (select count(*)::int from contact) as contacts, (select count(distinct phone)::int from contact) as numbers,
       (select count(*)::int from event where kind = 'contact_created') as events,
       (select count(distinct contact_id)::int from event where kind = 'contact_created') as announced,
       (select count(*)::int from event where kind = 'contact_updated') as updates`,
  );
  const good = ROWS - bad;
  expect(counts).toEqual({ contacts: good, numbers: good, events: good, announced: good, updates: 0 });
  const lines: number[] = [];
  let cursor = "";
  do {
    const path = `/v1/contacts/imports/${id}/errors?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const { body } = await callAs(gateway.url, workspace.key)("GET", path);
    lines.push(...body.data.map(({ line }: { line: number }) => line));
    cursor = body.next_cursor ?? "";
  } while (cursor !== "");
  expect(lines).toEqual(Array.from({ length: bad }, (_, n) => (n + 1) * BAD_EVERY + 1));
  await expect.poll(() => files(), { timeout: 10_000, interval: 50 }).toEqual([]);
  await gateway.end("SIGKILL");
});

test("two processes of one directory: the import of one is read by either, once", { timeout: 120_000 }, async () => {
  const [one, two] = [await serve(), await serve()];
  const workspaces = [await deployment.connect(one), await deployment.connect(two)];
  const ids = await Promise.all(
    workspaces.map((workspace, n) => upload(n === 0 ? two : one, workspace, fileOf(OTHER_ROWS, 3_000_000))),
  );
  for (const [n, workspace] of workspaces.entries()) {
    await expect
      .poll(async () => (await read(one, workspace, ids[n] ?? "")).status, { timeout: 60_000, interval: 100 })
      .toBe("completed");
    const { progress } = await read(two, workspace, ids[n] ?? "");
    expect(progress).toMatchObject({ rows: OTHER_ROWS, created: OTHER_ROWS, failed: 0 });
  }
});

test("a process that is killed in the midst of an upload leaves a part that is no import", {
  timeout: 60_000,
}, async () => {
  const gateway = await serve();
  const workspace = await deployment.connect(gateway);
  const half = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(fileOf(OTHER_ROWS, 4_000_000))),
  });
  const upload = fetch(`${gateway.url}/v1/contacts/imports`, {
    method: "POST",
    headers: { authorization: `Bearer ${workspace.key}`, "content-type": "text/csv" },
    body: half,
    duplex: "half",
  } as RequestInit);
  const broken = upload.then(
    () => null,
    (error: Error) => error.message,
  );
  await expect.poll(() => files(), { timeout: 10_000, interval: 20 }).toEqual([expect.stringMatching(/\.part$/)]);
  await gateway.end("SIGKILL");
  expect(await broken).toBe("fetch failed");
  const next = await serve();
  const { body } = await callAs(next.url, workspace.key)("GET", "/v1/contacts/imports");
  expect(body.data).toEqual([]);
});

const files = async (): Promise<string[]> =>
  (await readdir(join(folder, "files"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => name !== "directory-id");
