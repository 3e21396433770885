import { afterAll, beforeAll, expect, test } from "vitest";
import { type Pair, startPair, TOKEN } from "../testing/provider.ts";
import type { Json } from "../testing/receiver.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());

const BYTES = Buffer.from("not quite a picture");
const begin = (query = `file_length=${BYTES.length}&file_type=image/png&file_name=a.png`) =>
  pair.call("POST", `/v26.0/42/uploads?${query}`);
const started = async (): Promise<string> => (await begin()).body.id;
/** The id is part of the path as it is, with a query of its own. */
async function send(session: string, { offset = 0, bytes = BYTES, token = TOKEN, method = "POST" } = {}) {
  const answer = await fetch(`${pair.simulator.url}/v26.0/${session}`, {
    method,
    headers: { authorization: `OAuth ${token}`, file_offset: String(offset), "content-type": "image/png" },
    ...(method === "POST" ? { body: new Uint8Array(bytes) } : {}),
  });
  const body: Json = await answer.json();
  return { status: answer.status, body };
}
const submit = (name: string, handle: string) =>
  pair.call("POST", "/v26.0/9001/message_templates", {
    name,
    language: "de",
    category: "UTILITY",
    components: [
      { type: "HEADER", format: "IMAGE", example: { header_handle: [handle] } },
      { type: "BODY", text: "Hallo." },
    ],
  });

test("a file is uploaded to a session, and its handle is the sample of a header", async () => {
  const session = await started();
  expect(session).toMatch(/^upload:[^?]+\?sig=/);
  expect((await send(session, { method: "GET" })).body).toEqual({ id: session, file_offset: 0 });
  const { status, body } = await send(session);
  expect([status, body]).toEqual([200, { h: expect.stringMatching(/^4::/) }]);
  expect((await send(session, { method: "GET" })).body.file_offset).toBe(BYTES.length);
  expect((await submit("with_photo", body.h)).status).toBe(200);
});

test("a handle that was never given out is no sample", async () => {
  const { body } = await submit("with_nothing", "4::invented");
  expect(body.error).toMatchObject({ code: 100, error_subcode: 2388047 });
});

test.each([
  ["file_length=0&file_type=image/png"],
  ["file_length=104857601&file_type=image/png"],
  ["file_length=9&file_type=picture"],
  ["file_type=image/png"],
])("no session for %s", async (query) => {
  expect((await begin(query)).body.error.code).toBe(100);
});

test("another app, another offset, another session, half a file and a wrong token are refused", async () => {
  expect((await pair.call("POST", "/v26.0/43/uploads?file_length=9&file_type=image/png")).body.error).toMatchObject({
    code: 100,
    error_subcode: 33,
  });
  const session = await started();
  expect((await send(session, { offset: 5 })).body.error.message).toContain("file_offset must be 0");
  expect((await send(session, { bytes: Buffer.concat([BYTES, BYTES]) })).body.error.code).toBe(100);
  expect((await send(session, { method: "GET" })).body.file_offset).toBe(0);
  expect((await send(session, { bytes: BYTES.subarray(0, 5) })).body.error.code).toBe(100);
  expect((await send(session, { token: "EAAOTHER" })).body.error.code).toBe(190);
  expect((await send("upload:unknown?sig=x")).body.error).toMatchObject({ code: 100, error_subcode: 33 });
});

test("a reset forgets sessions and handles", async () => {
  const { body } = await send(await started());
  pair.simulator.reset();
  expect((await submit("after_the_reset", body.h)).body.error.error_subcode).toBe(2388047);
});
