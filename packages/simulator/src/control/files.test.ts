import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Pair, startPair, TOKEN } from "../testing/provider.ts";

let pair: Pair;
let now: number;
beforeAll(async () => {
  pair = await startPair({ clock: { nowMs: () => now } });
});
afterAll(() => pair.close());
beforeEach(async () => {
  now = 1_790_000_000_000;
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const DAY_MS = 24 * 3_600_000;
const ANA = "+15550001111";
const PDF = Buffer.from("%PDF-1.4 a plan");
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("base64");
const received = async () => {
  await pair.simulator.idle();
  return pair.receiver.changes().flatMap((change) => change.value["messages"] ?? []);
};
const download = async (url: string) => {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};
async function add(bytes: Buffer, query: string) {
  const answer = await fetch(`${pair.simulator.url}/sim/files?${query}`, {
    method: "POST",
    body: new Uint8Array(bytes),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

test("a person sends a file: the callback has id, type, digest and an address of 5 minutes; it lives 7 days", async () => {
  const { status, body } = await add(PDF, "phone_number_id=1055&mime_type=application/pdf");
  expect([status, body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^\d+$/),
      phone_number_id: "1055",
      source: "person",
      mime_type: "application/pdf",
      sha256: sha256(PDF),
      file_size: PDF.length,
      expires_at: new Date(now + 7 * DAY_MS).toISOString(),
    },
  ]);
  const document = { id: body.id, filename: "plan.pdf", caption: "The plan" };
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, type: "document", document });
  const [message] = await received();
  expect(message.document).toEqual({
    ...document,
    mime_type: "application/pdf",
    sha256: sha256(PDF),
    url: expect.stringContaining(pair.simulator.url),
  });
  expect(await download(message.document.url)).toEqual({ status: 200, bytes: PDF });
  now += 5 * 60_000;
  expect((await download(message.document.url)).status).toBe(404);
  const read = () => pair.call("GET", `/v26.0/${body.id}?phone_number_id=1055`);
  expect((await download((await read()).body["url"])).bytes).toEqual(PDF);
  now += 7 * DAY_MS;
  expect((await read()).body.error.error_subcode).toBe(33);
});

test("samples of media bring files, and what is given of an object stays", async () => {
  for (const sample of ["image", "video", "audio", "voice", "document", "sticker"] as const)
    pair.simulator.inbound({ phone_number_id: "1055", from: ANA, sample });
  const objects = (await received()).map((message) => message[message.type]);
  for (const { url, sha256: digest, mime_type } of objects) {
    const { status, bytes } = await download(url);
    expect([status, sha256(bytes), typeof mime_type]).toEqual([200, digest, "string"]);
  }
  expect(objects[3]).toMatchObject({ voice: true, mime_type: "audio/ogg; codecs=opus" });
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, type: "image", image: { id: "1", sha256: "x" } });
  expect((await received()).at(-1).image).toEqual({ id: "1", sha256: "x" });
});

test("files are listed, and an id ends by control; a reset forgets all", async () => {
  const { id } = await pair.simulator.addFile({ phone_number_id: "1055", mime_type: "image/png", id: "77" }, PDF);
  expect((await pair.call("GET", "/sim/files")).body["data"]).toMatchObject([{ id, source: "person" }]);
  expect((await pair.call("DELETE", "/sim/files/77")).status).toBe(200);
  expect((await pair.call("DELETE", "/sim/files/77")).status).toBe(404);
  expect((await pair.call("GET", "/v26.0/77")).body.error.error_subcode).toBe(33);
  await pair.simulator.addFile({ phone_number_id: "1055", mime_type: "image/png" }, PDF);
  pair.simulator.reset();
  expect(pair.simulator.files()).toEqual([]);
});

test("what is no file is refused", async () => {
  expect((await add(PDF, "phone_number_id=1055")).status).toBe(400);
  expect((await add(PDF, "phone_number_id=9&mime_type=image/png")).status).toBe(404);
  expect((await add(PDF, "phone_number_id=1055&mime_type=image/png&kind=x")).status).toBe(400);
  expect((await add(Buffer.alloc(0), "phone_number_id=1055&mime_type=image/png")).status).toBe(400);
});

test("a file of 100 MB comes and goes in bounded memory, and comes back whole", async () => {
  const [chunk, chunks] = [randomBytes(1024 * 1024), 100];
  async function* bytes() {
    for (let n = 0; n < chunks; n += 1) yield chunk;
  }
  const before = process.memoryUsage.rss();
  const file = await pair.simulator.addFile({ phone_number_id: "1055", mime_type: "video/mp4" }, bytes());
  const { url } = (await pair.call("GET", `/v26.0/${file.id}`)).body;
  // A connection of its own: beside much other work the server may have closed it before the next request.
  const answer = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}`, connection: "close" } });
  const digest = createHash("sha256");
  for await (const part of answer.body!) digest.update(part);
  expect([answer.headers.get("content-length"), digest.digest("base64")]).toEqual([
    String(chunks * chunk.length),
    file.sha256,
  ]);
  expect(process.memoryUsage.rss() - before).toBeLessThan(80 * 1024 * 1024);
});

test("a send by an id: that of an upload to its number goes, others are refused, or fail later", async () => {
  pair.simulator.setSettings({ outsideWindow: "allowed" });
  const own = await pair.simulator.addFile({ phone_number_id: "1055", mime_type: "image/png" }, PDF);
  const image = (id: string) => pair.send({ to: ANA, type: "image", image: { id } });
  expect((await image(own.id)).status).toBe(200);
  expect((await pair.send({ to: ANA, type: "document", document: { id: own.id } })).status).toBe(200);
  const wrong = await pair.send({ to: ANA, type: "video", video: { id: own.id } });
  expect([wrong.status, wrong.body.error.code]).toEqual([400, 131053]);
  pair.simulator.expireFile(own.id);
  const expired = await image(own.id);
  expect([expired.status, expired.body.error.code]).toEqual([400, 131053]);
  expect(expired.body.error.error_data.details).toContain(own.id);
  pair.simulator.setSettings({ wrongFiles: "failed" });
  expect((await image(own.id)).status).toBe(200);
  await pair.simulator.idle();
  expect(pair.receiver.statuses().at(-1)).toMatchObject({ status: "failed", errors: [{ code: 131053 }] });
});

test("the media host hangs for one account alone, or refuses", async () => {
  const { id } = await pair.simulator.addFile({ phone_number_id: "1055", mime_type: "image/png" }, PDF);
  const { url } = (await pair.call("GET", `/v26.0/${id}`)).body;
  pair.simulator.addFault({ kind: "hang", operation: "download_media", waba_id: "9001", count: null });
  const headers = { authorization: `Bearer ${TOKEN}` };
  await expect(fetch(url, { headers, signal: AbortSignal.timeout(200) })).rejects.toThrow("timeout");
  pair.simulator.clearFaults();
  pair.simulator.addFault({ kind: "html", operation: "download_media", waba_id: "9002", count: null });
  expect((await download(url)).status).toBe(200);
});
