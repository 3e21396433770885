import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PNG } from "../../media/testing/files.ts";
import { expectGraphError, ofAccount, ofNumber, VERSION } from "../testing/front.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const begin = (of: object = {}, path = `/${VERSION}/42/uploads`) =>
  mine.call("POST", path, {
    body: { file_length: PNG.length, file_type: "image/png", file_name: "one.png", ...of },
  });
const sessionOf = async (of: object = {}): Promise<string> => `/${VERSION}/${(await begin(of)).body.id}`;
/** As clients write it: with any type, or none. */
const send = (path: string, bytes: Uint8Array = PNG, headers: Record<string, string> = {}, of = mine) =>
  of.call("POST", path, {
    body: bytes,
    headers: { "content-type": "application/x-www-form-urlencoded", file_offset: "0", ...headers },
  });
const template = (handle: string, of = mine) =>
  of.call("POST", ofAccount(of, "/message_templates"), {
    body: {
      name: "with_picture",
      language: "en_US",
      category: "MARKETING",
      components: [
        { type: "HEADER", format: "IMAGE", example: { header_handle: [handle] } },
        { type: "BODY", text: "Look at this." },
      ],
    },
  });

test("a sample is uploaded in two steps, and its handle names it in a template", async () => {
  const begun = await begin({ file_length: String(PNG.length) }, "/app/uploads");
  expect([begun.status, begun.body]).toEqual([200, { id: expect.stringMatching(/^upload:[\w-]+$/) }]);
  const path = `/${begun.body.id}`;
  expect((await mine.call("GET", path)).body).toEqual({ id: begun.body.id, file_offset: 0 });
  const sent = await send(path);
  expect([sent.status, sent.body]).toEqual([200, { h: expect.stringMatching(/^4:\d+$/) }]);
  const { body: media } = await mine.call("GET", "/v1/media");
  expect(media.data).toEqual([
    expect.objectContaining({ filename: "one.png", mime_type: "image/png", size: PNG.length }),
  ]);

  expectGraphError(await template(sent.body.h, theirs), 400, 100, 33);
  const made = await template(sent.body.h);
  expect([made.status, made.body]).toEqual([200, expect.objectContaining({ id: expect.any(String) })]);
  // The provider has it: the handle is the provider's own there.
  const { body: found } = await mine.call("GET", `/${VERSION}/${made.body.id}?fields=components`);
  const [header] = found.components;
  expect(header.example.header_handle).toEqual([expect.not.stringContaining(sent.body.h)]);
});

test("a picture of a profile is named by its handle", async () => {
  const { h: handle } = (await send(await sessionOf())).body;
  const change = (profile_picture_handle: string, of = mine, headers = {}) =>
    of.call("POST", ofNumber(of, "/whatsapp_business_profile"), {
      body: { messaging_product: "whatsapp", profile_picture_handle },
      headers,
    });
  const key = { "idempotency-key": "picture-1" };
  for (let times = 0; times < 2; times += 1) expect((await change(handle, mine, key)).body).toEqual({ success: true });
  const { body } = await mine.call("GET", ofNumber(mine, "/whatsapp_business_profile?fields=profile_picture_url"));
  expect(body.data).toEqual([expect.objectContaining({ profile_picture_url: expect.stringMatching(/^http/) })]);
  expectGraphError(await change(handle, theirs), 400, 100, 33);
  gateway.simulator.addFault({ kind: "refuse", code: 100, operation: "upload" });
  expectGraphError(await change(handle), 400, 100);
  const text = Buffer.from("Not a picture.");
  const session = await sessionOf({ file_length: text.length, file_type: "text/plain", file_name: "a.txt" });
  expectGraphError(await change((await send(session, text)).body.h), 400, 100);
});

test("the same key uploads once", async () => {
  const path = await sessionOf();
  const first = await send(path, PNG, { "idempotency-key": "upload-1" });
  const again = await send(path, PNG, { "idempotency-key": "upload-1" });
  expect([first.status, again.text]).toEqual([200, first.text]);
});

test("a file that is not whole, or not what it was said to be, is refused and not kept", async () => {
  const { body: before } = await mine.call("GET", "/v1/media");
  const path = await sessionOf({ file_name: `${"ä".repeat(200)}.png` });
  expectGraphError(await send(path, PNG, { file_offset: "10" }), 400, 100);
  expectGraphError(await send(path, PNG.subarray(1)), 400, 100);
  expectGraphError(await send(path, Buffer.concat([PNG, PNG])), 400, 100);
  const piecemeal = await fetch(gateway.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${mine.key}` },
    body: new Blob([PNG.subarray(2)]).stream(),
    duplex: "half",
  } as RequestInit);
  expect([piecemeal.status, await piecemeal.text()]).toEqual([400, expect.stringContaining('"code":"incomplete"')]);
  expectGraphError(await send(await sessionOf({ file_type: "application/pdf" })), 415, 100);
  expect((await mine.call("GET", "/v1/media")).body).toEqual(before);
  expect((await send(path)).status).toBe(200);
});

test("what cannot be uploaded is refused before its first byte", async () => {
  for (const of of [
    { file_length: null },
    { file_length: -1 },
    { file_length: "many" },
    { file_type: "image/tiff" },
    { file_name: 7 },
  ])
    expectGraphError(await begin(of), 400, 100);
  expectGraphError(await begin({ file_length: 200_000_000 }), 413, 100);
  expectGraphError(await begin({}, `/${VERSION}/shop/uploads`), 400, 100, 33);
});

test("a session is of its workspace, and needs the right to write media", async () => {
  const path = await sessionOf();
  for (const unknown of [`/${VERSION}/upload:AAAA`, `${path}x`]) expectGraphError(await send(unknown), 400, 100, 33);
  expectGraphError(await send(path, PNG, {}, theirs), 400, 100, 33);
  expectGraphError(await theirs.call("GET", path), 400, 100, 33);
  const reading = await gateway.workspace(["media:read"]);
  expectGraphError(await reading.call("POST", `/${VERSION}/42/uploads`, { body: {} }), 403, 10);
  expectGraphError(await reading.call("GET", path), 403, 10);
});
