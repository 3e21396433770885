import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Pair, startPair, TOKEN } from "../testing/provider.ts";
import type { Json } from "../testing/receiver.ts";

let pair: Pair;
let now: number;
beforeEach(async () => {
  now = 1_790_000_000_000;
  pair = await startPair({ clock: { nowMs: () => now } });
  const other = { waba_id: "9002", name: "B", business_id: "7002", token: "EAAB" };
  pair.simulator.addAccount({ ...other, phone_numbers: [{ id: "2055", display_phone_number: "+15556660000" }] });
});
afterEach(() => pair.close());

const DAY_MS = 24 * 3_600_000;
const PNG = Buffer.from("89504e470d0a1a0a00ff", "hex");

async function upload(bytes: Buffer = PNG, type = "image/png", named = type): Promise<{ status: number; body: Json }> {
  const form = new FormData();
  form.set("messaging_product", "whatsapp");
  form.set("type", named);
  form.set("file", new File([new Uint8Array(bytes)], "photo", { type }));
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${pair.simulator.url}/v26.0/1055/media`, { method: "POST", headers, body: form });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const read = (id: string, token?: string, query = "") => pair.call("GET", `/v26.0/${id}${query}`, undefined, token);
const download = (url: string, token = TOKEN) => fetch(url, { headers: { authorization: `Bearer ${token}` } });

test("what was uploaded is read, downloaded and deleted", async () => {
  const { body } = await upload();
  const media = await read(body["id"]);
  expect(media.body).toEqual({
    messaging_product: "whatsapp",
    id: body["id"],
    url: expect.stringContaining(pair.simulator.url),
    mime_type: "image/png",
    file_size: String(PNG.length),
    sha256: createHash("sha256").update(PNG).digest("hex"),
  });
  const file = await download(media.body["url"]);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG);
  expect((await pair.call("DELETE", `/v26.0/${body["id"]}`)).body).toEqual({ success: true });
  expect((await download(media.body["url"])).status).toBe(404);
  expect((await read(body["id"])).body.error).toMatchObject({ code: 100, error_subcode: 33 });
  expect((await pair.call("DELETE", `/v26.0/${body["id"]}`)).body.error.error_subcode).toBe(33);
});

test("it is not there for another account or with another number, and its address needs the token", async () => {
  const { id } = (await upload()).body;
  expect((await read(id, "EAAB")).body.error.error_subcode).toBe(33);
  expect((await pair.call("DELETE", `/v26.0/${id}`, undefined, "EAAB")).body.error.error_subcode).toBe(33);
  expect((await read(id, TOKEN, "?phone_number_id=1055")).status).toBe(200);
  expect((await read(id, TOKEN, "?phone_number_id=2055")).body.error.error_subcode).toBe(33);
  const { url } = (await read(id)).body;
  const tries = await Promise.all([download(url, "EAAB"), download(url, "wrong"), fetch(url)]);
  expect(tries.map(({ status }) => status)).toEqual([404, 401, 401]);
});

test("an address ends after 5 minutes, a file after 30 days", async () => {
  const { id } = (await upload()).body;
  const { url } = (await read(id)).body;
  now += 5 * 60_000;
  expect((await download(url)).status).toBe(404);
  expect((await download((await read(id)).body["url"])).status).toBe(200);
  now += 30 * DAY_MS;
  expect((await read(id)).body.error.error_subcode).toBe(33);
});

test.each([
  ["a type that is not taken", Buffer.alloc(10), "image/gif", "image/gif", 100],
  ["an image of more than 5 MB", Buffer.alloc(5 * 2 ** 20 + 1), "image/png", "image/png", 131053],
])("%s is refused", async (_what, bytes, type, named, code) => {
  const { status, body } = await upload(bytes, type, named);
  expect([status, body.error.code]).toEqual([400, code]);
});

test("a document of many megabytes is taken; a class instead of a type is read from the file", async () => {
  expect((await upload(Buffer.alloc(20 * 2 ** 20), "application/pdf")).status).toBe(200);
  const { id } = (await upload(PNG, "audio/ogg; codecs=opus", "audio")).body;
  expect((await read(id)).body["mime_type"]).toBe("audio/ogg");
});

test("without a file, and of a number that the token does not reach", async () => {
  const call = (path: string) => pair.call("POST", path, { messaging_product: "whatsapp", type: "image/png" });
  expect((await call("/v26.0/1055/media")).body.error.message).toBe("(#100) The parameter file is required.");
  expect((await call("/v26.0/2055/media")).body.error.error_subcode).toBe(33);
});
