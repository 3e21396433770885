import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { jsonOf, waypost } from "../../packages/cli/src/testing/waypost.ts";
import { type Receiver, startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { type DevFile, makeDataDir, type NpmStart, npmStart, readDevFile } from "./npm-start.ts";

// `waypost clock` beside a running `npm start`: a window, a retry and a month pass while the test looks on.
let dataDir: string;
let started: NpmStart;
let dev: DevFile;
let receiver: Receiver;
beforeAll(async () => {
  dataDir = await makeDataDir();
  started = npmStart({ dataDir });
  await started.up;
  [dev, receiver] = [await readDevFile(dataDir), await startReceiver()];
  vi.stubEnv("WAYPOST_DATA_DIR", dataDir);
  for (const name of ["WAYPOST_BASE_URL", "WAYPOST_API_KEY", "WAYPOST_OPERATOR_KEY"]) vi.stubEnv(name, undefined);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await receiver.close();
  await started.end();
  await rm(dataDir, { recursive: true, force: true });
});

const PATIENCE = { timeout: 60_000, interval: 50 };
const HOUR_MS = 3_600_000;
const api: ReturnType<typeof callAs> = (method, path, input) => callAs(dev.base_url, dev.api_key)(method, path, input);
const text = { to: "+15551230001", type: "text", text: { body: "Good morning" } };
const clock = async (...args: string[]) => jsonOf(await waypost("clock", ...args, "--json"));

it("a window closes after 25 hours, and a reply opens it again", async () => {
  expect(await waypost("trigger", "messages")).toMatchObject({ code: 0 });
  await expect.poll(async () => (await api("POST", "/v1/messages", { body: text })).status, PATIENCE).toBe(202);
  const before = Date.now();
  const moved = await clock("+25h");
  expect(moved.ahead_ms).toBe(25 * HOUR_MS);
  expect(Date.parse(moved.now) - before).toBeGreaterThanOrEqual(25 * HOUR_MS);
  const late = await api("POST", "/v1/messages", { body: text });
  expect(late).toMatchObject({ status: 422, body: { code: "window_closed" } });
  expect(await waypost("trigger", "messages")).toMatchObject({ code: 0 });
  await expect.poll(async () => (await api("POST", "/v1/messages", { body: text })).status, PATIENCE).toBe(202);
  const [newest] = (await api("GET", "/v1/messages?limit=1")).body.data;
  expect(Date.parse(newest.created_at)).toBeGreaterThanOrEqual(before + 25 * HOUR_MS);
});

it("a delivery that failed is tried again when its time has come", async () => {
  receiver.answer((response) => void response.writeHead(500).end());
  const body = { url: receiver.url, events: ["contact_created"] };
  expect((await api("POST", "/v1/webhook-endpoints", { body })).status).toBe(201);
  await api("POST", "/v1/contacts", { body: { phone: "+15551230077" } });
  await receiver.got(1);
  receiver.answer((response) => void response.end());
  const waits = async () =>
    (await api("GET", "/v1/deliveries?status=pending")).body.data.map((row: { attempt: number }) => row.attempt);
  await expect.poll(waits, PATIENCE).toEqual([1]);
  await clock("+1m");
  await receiver.got(2);
  await expect
    .poll(async () => (await api("GET", "/v1/deliveries?status=succeeded")).body.data.length, PATIENCE)
    .toBe(1);
});

it("a month passes: a message is sent, read and counted in it", async () => {
  const { now } = await clock("+31d");
  const sent = await waypost("send", "--to", "+15551230001", "--template", "order_ready", "--wait", "20", "--json");
  const { id, created_at } = jsonOf(sent);
  expect(created_at.slice(0, 7)).toBe(now.slice(0, 7));
  await expect.poll(async () => (await api("GET", `/v1/messages/${id}`)).body.status, PATIENCE).toBe("read");
  const { read_at } = (await api("GET", `/v1/messages/${id}`)).body;
  expect(read_at.slice(0, 7)).toBe(now.slice(0, 7));
  const ready = await fetch(`${dev.base_url}/readyz`);
  expect(ready.status).toBe(200);
});

it("reset goes back to the real time, and sending goes on", async () => {
  const back = await clock("reset");
  expect(back.ahead_ms).toBe(0);
  expect(await clock()).toMatchObject({ ahead_ms: 0 });
  const begun = Date.now();
  const { id } = jsonOf(
    await waypost("send", "--to", "+15551230001", "--template", "order_ready", "--wait", "20", "--json"),
  );
  await expect.poll(async () => (await api("GET", `/v1/messages/${id}`)).body.status, PATIENCE).toBe("read");
  const { created_at } = (await api("GET", `/v1/messages/${id}`)).body;
  expect(Math.abs(Date.parse(created_at) - begun)).toBeLessThan(60_000);
});

it("only the operator key moves it, and only ahead", async () => {
  const control = dev.control_url ?? "";
  for (const authorization of ["", `Bearer ${dev.api_key}`]) {
    const refused = await fetch(control, { method: "POST", headers: { authorization }, body: '{"by_ms":1000}' });
    expect(refused.status).toBe(401);
  }
  const headers = { authorization: `Bearer ${dev.operator_key}` };
  for (const body of ['{"by_ms":-1}', '{"by_ms":1e15}', '{"ahead_ms":5}', "{", "{}"])
    expect((await fetch(control, { method: "POST", headers, body })).status).toBe(400);
  expect(await clock()).toMatchObject({ ahead_ms: 0 });
  for (const move of ["25h", "-1h", "+0h", "+1x", "tomorrow"])
    expect(await waypost("clock", ...(move.startsWith("-") ? ["--", move] : [move]))).toMatchObject({
      code: 2,
      out: "",
    });
});

it("the gateway itself has no such route", async () => {
  const operator = callAs(dev.base_url, dev.operator_key);
  expect((await api("POST", "/v1/clock", { body: { by_ms: 1 } })).status).toBe(404);
  for (const path of ["/clock", "/admin/v1/clock"])
    for (const method of ["GET", "POST"] as const)
      expect((await operator(method, path, method === "POST" ? { body: { by_ms: 1 } } : {})).status).toBe(404);
  const document = await (await fetch(`${dev.base_url}/openapi.json`)).text();
  expect(Object.keys(JSON.parse(document).paths).join()).not.toContain("clock");
});

it("without an `npm start` there is nothing to move", async () => {
  vi.stubEnv("WAYPOST_DATA_DIR", "/nowhere");
  expect(await waypost("clock", "+25h")).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^waypost: there is no clock/),
  });
  vi.stubEnv("WAYPOST_DATA_DIR", dataDir);
});
