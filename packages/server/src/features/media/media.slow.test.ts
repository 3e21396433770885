import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../testing/gateway.ts";
import { MEDIA_AREA } from "./media-files.ts";
import { BOMB, DOCM, EXE, HTML, JPEG, mp4, PDF, PNG, SVG, webp, XLSX } from "./testing/files.ts";
import { arrivingAt, filesOf, type Uploaded, upload } from "./testing/uploading.ts";

let gateway: Gateway;
let mine: Workspace;
let theirs: Workspace;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.workspace(), await gateway.workspace()];
});
afterAll(() => gateway.stop());

const send = (bytes: Uint8Array | string, options?: Uploaded) => upload(gateway, mine, bytes, options);
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const content = (id: string, headers: Record<string, string> = {}, key = mine.key) =>
  fetch(`${gateway.url}/v1/media/${id}/content`, { headers: { authorization: `Bearer ${key}`, ...headers } });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe("an upload", () => {
  it("is stored, audited by a digest alone, listed, read and deleted, by its workspace only", async () => {
    const created = await send(JPEG, { filename: "shop.jpg", type: "image/jpeg" });
    expect(created.status).toBe(201);
    expect(created.headers["location"]).toBe(`/v1/media/${created.body.id}`);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^med_/),
      type: "image",
      mime_type: "image/jpeg",
      size: JPEG.length,
      sha256: sha256(JPEG),
      filename: "shop.jpg",
      status: "available",
      error: null,
      source: "upload",
      message_id: null,
      content_url: null,
      content_url_expires_at: null,
      created_at: expect.any(String),
    });
    const { id } = created.body;
    const path = `/v1/media/${id}`;
    expect((await mine.call("GET", path)).body).toMatchObject({ id, content_url: expect.stringContaining("/media/") });
    expect((await mine.call("GET", "/v1/media?source=upload&status=available")).body.data[0]).toEqual(created.body);
    const [stored] = await mine.rows<{ file_id: string }>("select file_id from media where filename = 'shop.jpg'");
    const file = stored?.file_id ?? "";
    expect(await filesOf(gateway)).toContain(file);
    expect(await arrivingAt(gateway)).toEqual([]);

    for (const [method, of] of [
      ["GET", path],
      ["DELETE", path],
      ["GET", `${path}/content`],
    ] as const)
      expect((await theirs.call(method, of)).status).toBe(404);
    expect((await theirs.call("GET", "/v1/media")).body.data).toEqual([]);

    await gateway.audited();
    const [audit] = await mine.rows<{ changes: Record<string, string> }>(
      "select changes from audit where action = 'media.create' and resource_id = $1",
      [id],
    );
    expect(audit?.changes["digest"]).toMatch(/^[0-9a-f]{64}$/);
    expect(audit?.changes["digest"]).not.toBe(sha256(JPEG));
    expect(JSON.stringify(audit)).not.toContain("shop");

    expect((await mine.call("DELETE", path)).status).toBe(204);
    expect((await mine.call("GET", path)).status).toBe(404);
    // The same bytes are kept for ten minutes after they came.
    gateway.clock.advance(11 * 60_000);
    await expect.poll(() => filesOf(gateway), { timeout: 20_000 }).not.toContain(file);
    await expect.poll(() => mine.rows("select from media_file")).toEqual([]);
  });

  it("of bytes that the workspace has is stored once, and stays until the last media goes", async () => {
    const before = (await filesOf(gateway)).length;
    const [one, other] = [await send(PDF, { filename: "a.pdf" }), await send(PDF, { filename: "b.pdf" })];
    expect(await upload(gateway, theirs, PDF)).toMatchObject({ status: 201 });
    expect(await filesOf(gateway)).toHaveLength(before + 2);
    await mine.call("DELETE", `/v1/media/${one.body.id}`);
    gateway.clock.advance(11 * 60_000);
    const due = () => mine.rows("select from media_file where sweep_at is not null");
    await expect.poll(due, { timeout: 20_000 }).toEqual([]);
    expect(await bytesOf(await content(other.body.id))).toEqual(PDF);
  });

  it("of bytes that the store has lost brings them back", async () => {
    const bytes = Buffer.concat([PDF, Buffer.from("%lost")]);
    const { id } = (await send(bytes)).body;
    const [stored] = await mine.rows<{ file_id: string }>("select file_id from media order by id desc limit 1");
    const { store } = gateway.features.services.mediaPlaces;
    await store.delete({ area: MEDIA_AREA, workspaceId: mine.uuid, id: stored?.file_id ?? "" });
    expect((await content(id)).status).toBe(503);
    const again = await send(bytes);
    for (const one of [id, again.body.id]) expect(await bytesOf(await content(one))).toEqual(bytes);
  });

  it("is repeated by its key, and the same key with another file or name is refused", async () => {
    const headers = { "idempotency-key": "photo-1" };
    const first = await send(PNG, { filename: "a.png", headers });
    const again = await send(PNG, { filename: "a.png", headers });
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([201, first.text, "true"]);
    for (const [bytes, filename] of [
      [JPEG, "a.png"],
      [PNG, "b.png"],
    ] as const)
      expect(await send(bytes, { filename, headers })).toMatchObject({
        status: 422,
        body: { code: "idempotency_key_reused" },
      });
    const [count] = await mine.rows<{ n: number }>("select count(*) as n from media where filename = 'a.png'");
    expect(count?.n).toBe(1);
  });

  it("of sound alone is audio by its name where the client knows no type", async () => {
    const { body } = await send(mp4("mp42"), { filename: "voice.m4a" });
    expect(body).toMatchObject({ type: "audio", mime_type: "audio/mp4" });
  });

  it("keeps of its name what people see", async () => {
    const nameOf = async (filename: string) => (await send(PNG, { filename })).body.filename;
    expect(await nameOf("../../etc/passwd.png")).toBe("passwd.png");
    expect(await nameOf("C:\\fotos\\loja.png")).toBe("loja.png");
    expect(await nameOf("pay\u202Egnp.exe")).toBe("paygnp.exe");
    expect(await nameOf("..")).toBeNull();
    expect(await nameOf(`${"n".repeat(400)}.png`)).toBe(`${"n".repeat(251)}.png`);
    expect(await nameOf(`${"😀".repeat(200)}.png`)).toBe(`${"😀".repeat(125)}.png`);
  });
});

describe("a file that the provider would not take", () => {
  const MIB = 1_024 * 1_024;
  const refusals: [string, Uint8Array | string, Uploaded, number, string, RegExp][] = [
    ["no bytes", "", {}, 400, "invalid_request", /no bytes/],
    ["HTML", HTML, { filename: "a.pdf" }, 415, "unsupported_media_type", /Convert it to one of these: JPEG/],
    ["SVG", SVG, { filename: "a.png", type: "image/png" }, 415, "unsupported_media_type", /PDF, plain text/],
    ["a program", EXE, { filename: "a.jpg", type: "image/jpeg" }, 415, "unsupported_media_type", /Convert/],
    ["macros", DOCM, { filename: "a.docx" }, 415, "unsupported_media_type", /Convert/],
    [
      "another type than is said",
      PDF,
      { type: "image/jpeg" },
      415,
      "unsupported_media_type",
      /bytes are application\/pdf/,
    ],
    [
      "an image of a byte too much",
      padded(JPEG, 5 * MIB + 1),
      {},
      413,
      "payload_too_large",
      /at most 5242880 bytes, this one has 5242881/,
    ],
    ["a still sticker of a byte too much", webp({ size: 102_401 }), {}, 413, "payload_too_large", /102400/],
    [
      "a moving sticker of a byte too much",
      webp({ isAnimated: true, size: 512_001 }),
      {},
      413,
      "payload_too_large",
      /512000/,
    ],
  ];
  it.each(refusals)(
    "is refused with a remedy, and nothing stays: %s",
    async (_what, bytes, options, status, code, detail) => {
      const [rows, files] = [await mine.rows("select from media_file"), await filesOf(gateway)];
      const refused = await send(bytes, options);
      expect(refused).toMatchObject({
        status,
        body: { code, errors: [{ pointer: "/file", detail: expect.stringMatching(detail) }] },
      });
      expect(await mine.rows("select from media_file")).toEqual(rows);
      expect(await filesOf(gateway)).toEqual(files);
    },
  );

  it("is taken to the last byte", async () => {
    for (const bytes of [padded(JPEG, 5 * MIB), webp({ size: 102_400 }), webp({ isAnimated: true, size: 512_000 })])
      expect((await send(bytes)).status).toBe(201);
  });

  it("of more than any type may have is refused by what it says of its length, and by its bytes", async () => {
    const answer = await fetch(`${gateway.url}/v1/media`, {
      method: "POST",
      headers: { authorization: `Bearer ${mine.key}`, "content-type": "multipart/form-data; boundary=b" },
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'));
        },
        pull: (controller) => controller.enqueue(Buffer.alloc(MIB, 0x61)),
      }),
      duplex: "half",
    } as RequestInit);
    const body = await answer.json();
    expect([answer.status, body]).toMatchObject([413, { code: "payload_too_large", errors: [{ pointer: "/file" }] }]);
  });

  it("is harmless where it is what it is called, and more", async () => {
    const bomb = await send(BOMB, { filename: "list.xlsx" });
    const polyglot = await send(Buffer.concat([JPEG, HTML]), { filename: "photo.html" });
    expect([bomb.body.type, polyglot.body.type]).toEqual(["document", "image"]);
    const { headers } = await content(polyglot.body.id);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/jpeg",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": "attachment; filename=\"photo.html.jpg\"; filename*=UTF-8''photo.html.jpg",
    });
  });

  it("is no form, has no file, has two, or a field that there is not", async () => {
    const form = async (...parts: [string, string | Blob][]) => {
      const body = new FormData();
      for (const [name, part] of parts) body.append(name, part);
      const headers = { authorization: `Bearer ${mine.key}` };
      const answer = await fetch(`${gateway.url}/v1/media`, { method: "POST", headers, body });
      return [answer.status, await answer.json()];
    };
    const file = new Blob([PNG]);
    expect((await mine.call("POST", "/v1/media", { body: { a: 1 } })).status).toBe(415);
    expect(await form(["note", "x"])).toMatchObject([400, { errors: [{ pointer: "/note", code: "unknown_field" }] }]);
    const unknown = { errors: [{ pointer: "/photo~1x", code: "unknown_field" }] };
    expect(await form(["photo/x", file])).toMatchObject([400, unknown]);
    expect(await form(["file", file], ["photo/x", file])).toMatchObject([400, unknown]);
    expect(await form(["file", file], ["file", file])).toMatchObject([400, { errors: [{ code: "too_many" }] }]);
    expect(await form()).toMatchObject([400, { code: "invalid_request" }]);
  });
});

describe("the content of media", () => {
  it("is sent whole or in part", async () => {
    const bytes = padded(XLSX, 300_000);
    // A table of an archive ends the file.
    const { id } = (await send(padded(PDF, bytes.length), { filename: "Preço – maio.pdf" })).body;
    const whole = padded(PDF, bytes.length);
    const answer = await content(id);
    expect(await bytesOf(answer)).toEqual(whole);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(whole.length),
      "accept-ranges": "bytes",
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
      "content-disposition":
        "attachment; filename=\"Pre_o _ maio.pdf\"; filename*=UTF-8''Pre%C3%A7o%20%E2%80%93%20maio.pdf",
    });
    const part = async (range: string, more: Record<string, string> = {}) => {
      const { status, headers, ...rest } = await content(id, { range, ...more }).then(async (one) => ({
        status: one.status,
        headers: one.headers,
        bytes: await bytesOf(one),
      }));
      return [status, headers.get("content-range"), rest.bytes];
    };
    const size = whole.length;
    expect(await part("bytes=0-9")).toEqual([206, `bytes 0-9/${size}`, whole.subarray(0, 10)]);
    expect(await part("bytes=299990-")).toEqual([206, `bytes 299990-299999/${size}`, whole.subarray(299_990)]);
    expect(await part("bytes=-5")).toEqual([206, `bytes 299995-299999/${size}`, whole.subarray(-5)]);
    expect(await part("bytes=5-400000")).toEqual([206, `bytes 5-299999/${size}`, whole.subarray(5)]);
    expect(await part("bytes=300000-")).toEqual([416, `bytes */${size}`, Buffer.alloc(0)]);
    for (const range of ["bytes=9-5", "bytes=-", "bytes=0-1,4-5", "lines=1-2"])
      expect((await part(range))[0]).toBe(200);
    const tag = answer.headers.get("etag") ?? "";
    expect((await part("bytes=0-9", { "if-range": tag }))[0]).toBe(206);
    expect((await part("bytes=0-9", { "if-range": '"other"' }))[0]).toBe(200);
    const head = await fetch(`${gateway.url}/v1/media/${id}/content`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${mine.key}` },
    });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(size)]);
  });

  it("is not sent again to a reader that has it", async () => {
    const { body } = await send(padded(PDF, 3_000));
    const signed = new URL((await mine.call("GET", `/v1/media/${body.id}`)).body.content_url).pathname;
    for (const [url, headers] of [
      [`/v1/media/${body.id}/content`, { authorization: `Bearer ${mine.key}` }],
      [signed, {}],
    ] as const) {
      const ask = async (given: Record<string, string>, method = "GET") => {
        const answer = await fetch(gateway.url + url, { method, headers: { ...headers, ...given } });
        const size = (await bytesOf(answer)).length;
        expect(answer.headers.get("etag")).toBe(`"${body.sha256}"`);
        return [answer.status, size];
      };
      const tag = `"${body.sha256}"`;
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        expect(await ask({ "if-none-match": known })).toEqual([304, 0]);
        expect(await ask({ "if-none-match": known, range: "bytes=0-9" }, "HEAD")).toEqual([304, 0]);
      }
      for (const other of ['"other"', body.sha256, tag.toUpperCase()])
        expect(await ask({ "if-none-match": other })).toEqual([200, 3_000]);
      expect(await ask({ "if-none-match": '"other"', range: "bytes=0-9" })).toEqual([206, 10]);
    }
  });

  it("needs the scope to read", async () => {
    const { id } = (await send(PNG)).body;
    const writer = await gateway.workspace(["media:write"]);
    expect((await upload(gateway, writer, PNG)).status).toBe(201);
    expect((await writer.call("GET", "/v1/media")).status).toBe(403);
    const reader = await gateway.workspace(["media:read"]);
    expect((await upload(gateway, reader, PNG)).status).toBe(403);
    expect((await content(id, {}, reader.key)).status).toBe(404);
  });
});

describe("a signed address", () => {
  const addressOf = async (id: string): Promise<{ path: string; expires: string }> => {
    const { body } = await mine.call("GET", `/v1/media/${id}`);
    return { path: new URL(body.content_url).pathname, expires: body.content_url_expires_at };
  };
  const read = (path: string, init: RequestInit = {}) => fetch(gateway.url + path, init);

  it("gives the content to a reader without a key for five minutes, and to no other method", async () => {
    const { id } = (await send(mp4(), { filename: "tour.mp4" })).body;
    const { path, expires } = await addressOf(id);
    const answer = await read(path);
    expect([answer.status, await bytesOf(answer)]).toEqual([200, mp4()]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": expect.stringMatching(/^attachment;/),
    });
    expect((await read(path, { headers: { range: "bytes=0-3" } })).status).toBe(206);
    const head = await read(path, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(mp4().length)]);
    for (const method of ["POST", "PUT", "DELETE"]) expect((await read(path, { method })).status).toBe(405);
    expect(Date.parse(expires) - gateway.clock.now()).toBeGreaterThan(4 * 60_000);
    gateway.clock.advance(Date.parse(expires) - gateway.clock.now());
    expect((await read(path)).status).toBe(404);
  });

  it("is of one file, and of no other text", async () => {
    const [one, other] = [(await send(JPEG)).body.id, (await send(PNG)).body.id];
    const [{ path }, { path: second }] = [await addressOf(one), await addressOf(other)];
    const token = path.slice("/media/".length);
    const mixed = `${second.slice("/media/".length).slice(0, 48)}${token.slice(48)}`;
    for (const wrong of [mixed, `${token}A`, token.slice(0, -1), token.toUpperCase(), "x", "%00", "..%2f", `${token}=`])
      expect([400, 404]).toContain((await read(`/media/${wrong}`)).status);
    expect((await read(path)).status).toBe(200);
  });

  it("does not outlive its media or its workspace, and a foreign Host changes nothing", async () => {
    const { id } = (await send(JPEG)).body;
    const { path } = await addressOf(id);
    const { body } = await mine.call("GET", `/v1/media/${id}`, { headers: { "x-forwarded-host": "evil.example" } });
    expect(new URL(body.content_url).host).not.toContain("evil");
    await gateway.operator("PATCH", `/admin/v1/workspaces/${mine.id}`, { body: { status: "suspended" } });
    expect((await read(path)).status).toBe(404);
    await gateway.operator("PATCH", `/admin/v1/workspaces/${mine.id}`, { body: { status: "active" } });
    expect((await read(path)).status).toBe(200);
    await expect.poll(async () => (await mine.call("DELETE", `/v1/media/${id}`)).status).toBe(204);
    expect((await read(path)).status).toBe(404);
  });
});

/** With zeros behind it, which no type minds but a text. */
function padded(bytes: Buffer, size: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
}
