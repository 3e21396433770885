import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { type Simulator, startSimulator } from "@waypost/simulator";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isUnknownObject } from "../error-table.ts";
import { MediaBroken } from "../media-calls.ts";
import type { Provider } from "../provider.ts";
import { createWhatsApp } from "./adapter.ts";
import { type Hostile, hostile } from "./testing/hostile.ts";

const TOTAL_MS = 500;
let simulator: Simulator;
let provider: Provider;
let now = 1_790_000_000_000;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  simulator = await startSimulator({ appSecret: "demo-app-secret", verifyToken: "x", clock: { nowMs: () => now } });
  provider = whatsapp(simulator.url);
});
afterAll(async () => {
  for (const close of closing) await close();
  await simulator.close();
});
beforeEach(() => simulator.reset());

function whatsapp(baseUrl: string): Provider {
  const timeouts = { connectMs: 1_000, totalMs: TOTAL_MS };
  const made = createWhatsApp({
    baseUrl,
    apiVersion: "v26.0",
    appSecrets: ["demo-app-secret"],
    verifyToken: "x",
    timeouts,
  });
  closing.push(() => made.close());
  return made;
}
async function peer(answer: Parameters<typeof hostile>[0]): Promise<Hostile> {
  const server = await hostile(answer);
  closing.push(() => server.close());
  return server;
}

const access = { accessToken: "EAASIMDEMO" };
const number = { ...access, providerPhoneNumberId: "1055" };
const hex = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const fileOf = (bytes: Buffer, type = "application/pdf") => ({
  name: 'a "plan".pdf',
  type,
  bytes: bytes.length,
  content: Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]),
});
async function uploaded(bytes: Buffer, type?: string): Promise<string> {
  const answer = await provider.uploadMedia({ ...number, file: fileOf(bytes, type) });
  if (!answer.ok) throw new Error(answer.error.detail);
  return answer.value;
}
async function found(providerMediaId: string) {
  const answer = await provider.findMedia({ ...number, providerMediaId });
  if (!answer.ok) throw new Error(answer.error.detail);
  return answer.value;
}
async function read(opened: Awaited<ReturnType<Provider["openMedia"]>>): Promise<Buffer> {
  if (!opened.ok) throw new Error(opened.error.detail);
  const chunks: Buffer[] = [];
  for await (const chunk of opened.value.content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("what was uploaded is found, and its bytes are the same", async () => {
  const bytes = randomBytes(5 * 1_048_576);
  const id = await uploaded(bytes);
  expect(simulator.files()).toMatchObject([
    { id, mime_type: "application/pdf", file_size: bytes.length, phone_number_id: "1055" },
  ]);
  const media = await found(id);
  const address = expect.stringContaining(simulator.url) as string;
  expect(media).toEqual({ address, mimeType: "application/pdf", bytes: bytes.length, sha256: hex(bytes) });
  const opened = await provider.openMedia({ ...access, address: media.address });
  expect(opened).toMatchObject({ ok: true, value: { bytes: bytes.length } });
  expect(hex(await read(opened))).toBe(hex(bytes));
});

test("a file that the provider does not take is refused with what it says", async () => {
  const refused = async (bytes: Buffer, type: string) => {
    const answer = await provider.uploadMedia({ ...number, file: fileOf(bytes, type) });
    return answer.ok ? null : [answer.error.class, answer.error.provider?.code, answer.error.detail];
  };
  expect(await refused(Buffer.from("GIF89a"), "image/gif")).toEqual([
    "permanent",
    100,
    expect.stringContaining("image/gif"),
  ]);
  expect(await refused(Buffer.alloc(5 * 1_048_576 + 1), "image/png")).toEqual([
    "media",
    131_053,
    expect.stringContaining("at most"),
  ]);
});

test("a file that cannot be read to its end is not uploaded", async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(100);
    throw new Error("the disk is gone");
  }
  const file = { ...fileOf(Buffer.alloc(1_000)), content: Readable.from(broken()) };
  expect(await provider.uploadMedia({ ...number, file })).toMatchObject({ ok: false, error: { class: "transient" } });
  expect(simulator.files()).toEqual([]);
});

test("a file is of its number, and is unknown once it has ended", async () => {
  const providerMediaId = await uploaded(Buffer.from("%PDF"));
  const other = await provider.findMedia({ ...access, providerPhoneNumberId: "2055", providerMediaId });
  expect(!other.ok && isUnknownObject(other.error)).toBe(true);
  const { address } = await found(providerMediaId);
  now += 5 * 60_000;
  expect(await provider.openMedia({ ...access, address })).toMatchObject({
    ok: false,
    error: { class: "transient", httpStatus: 404 },
  });
  simulator.expireFile(providerMediaId);
  const ended = await provider.findMedia({ ...number, providerMediaId });
  expect(!ended.ok && isUnknownObject(ended.error)).toBe(true);
});

test("the token goes to hosts of the provider alone, and no redirect is followed", async () => {
  const elsewhere = await peer((socket) => socket.end());
  for (const address of [
    `${elsewhere.url}/file`,
    "https://lookaside.fbsbx.com.evil.example/file",
    "https://evilfbsbx.com/file",
    "http://lookaside.fbsbx.com/file",
    "https://lookaside.fbsbx.com:9/file",
    "https://x@lookaside.fbsbx.com/file",
    "nonsense",
  ]) {
    const answer = await provider.openMedia({ ...access, address });
    expect([address, answer]).toEqual([
      address,
      { ok: false, error: expect.objectContaining({ detail: "The file's address is none of the provider's." }) },
    ]);
  }
  const host = await peer((socket) =>
    socket.end(`HTTP/1.1 302 X\r\nlocation: ${elsewhere.url}/file\r\ncontent-length: 0\r\n\r\n`),
  );
  expect(await whatsapp(host.url).openMedia({ ...access, address: `${host.url}/file` })).toMatchObject({
    ok: false,
    error: { httpStatus: 302 },
  });
  expect([elsewhere.connections, host.connections]).toEqual([0, 1]);
});

test("a host that says nothing, stops halfway or breaks off is not waited for", async () => {
  const { address } = await found(await uploaded(Buffer.from("%PDF")));
  simulator.addFault({ kind: "hang", operation: "download_media" });
  expect(await provider.openMedia({ ...access, address })).toMatchObject({ ok: false, error: { class: "transient" } });
  const head = "HTTP/1.1 200 X\r\ncontent-type: application/pdf\r\ncontent-length: 10\r\n\r\n%PDF";
  const silent = await peer((socket) => socket.write(head));
  const cut = await peer((socket) => socket.write(head, () => socket.destroy()));
  for (const { url } of [silent, cut]) {
    const opened = await whatsapp(url).openMedia({ ...access, address: `${url}/file` });
    await expect(read(opened)).rejects.toThrow(MediaBroken);
  }
});

test("a reader that takes its time is no silence of the host, and one that stops early frees the socket", async () => {
  const bytes = randomBytes(1_048_576);
  const { address } = await found(await uploaded(bytes));
  const opened = await provider.openMedia({ ...access, address });
  if (!opened.ok) throw new Error(opened.error.detail);
  const chunks: Buffer[] = [];
  for await (const chunk of opened.value.content) {
    if (chunks.length === 0) await new Promise((resolve) => setTimeout(resolve, TOTAL_MS + 200)); // longer than it may be silent
    chunks.push(chunk);
  }
  expect(hex(Buffer.concat(chunks))).toBe(hex(bytes));
  const early = await provider.openMedia({ ...access, address });
  if (!early.ok) throw new Error(early.error.detail);
  for await (const _chunk of early.value.content) break;
});
