import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import type { Reply } from "../../../testing/call.ts";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";

let gateway: Gateway;
let mine: Workspace;
let theirs: Workspace;
beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs] = [await gateway.workspace(), await gateway.workspace()];
});
afterAll(() => gateway.stop());

/** An import gives way to everything else on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 20 };
const CSV = { "content-type": "text/csv" };
const NDJSON = { "content-type": "application/x-ndjson" };

let people = 0;
/** A number that nobody has had. */
const number = (): string => `+1555201${String((people += 1)).padStart(4, "0")}`;

const upload = (
  body: string | Uint8Array,
  headers: Record<string, string> = CSV,
  query = "",
  of = mine,
): Promise<Reply> => of.call("POST", `/v1/contacts/imports${query}`, { headers, body });

/** Resolves with an import that has ended. */
const ended = (id: string, of = mine): Promise<Reply["body"]> =>
  vi.waitFor(async () => {
    const { body } = await of.call("GET", `/v1/contacts/imports/${id}`);
    if (body.completed_at === null) throw new Error(`the import is ${body.status}`);
    return body;
  }, PATIENCE);

async function imported(body: string | Uint8Array, headers = CSV as Record<string, string>, query = "") {
  const reply = await upload(body, headers, query);
  expect([reply.status, reply.body?.detail]).toEqual([202, undefined]);
  return await ended(reply.body.id);
}

const errorsOf = async (id: string): Promise<Reply["body"][]> =>
  (await mine.call("GET", `/v1/contacts/imports/${id}/errors?limit=100`)).body.data;
const contactOf = async (phone: string): Promise<Reply["body"]> =>
  (await mine.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`)).body.data[0];
const eventsOf = async (kind: string): Promise<number> =>
  (await mine.rows("select 1 from event where kind = $1", [kind])).length;

describe("a file", () => {
  it("creates contacts, says what it did, and changes nothing when it comes again", async () => {
    const [one, two] = [number(), number()];
    const file = `name;Phone;TAGS;attributes.city;attributes.orders:number;attributes;marketing_consent;created_at\r\nAna "A";${one};vip|new;"Re;cife";3;;opted_in;x\r\n;${two};;;;"{""vip"":true}";;\r\n`;
    const before = [await eventsOf("contact_created"), await eventsOf("contact_updated")];
    const first = await imported(file);
    expect(first).toMatchObject({
      status: "completed",
      format: "csv",
      mapping: {},
      progress: {
        rows: 2,
        created: 2,
        updated: 0,
        failed: 0,
        bytes: Buffer.byteLength(file),
        total_bytes: Buffer.byteLength(file),
      },
      error: null,
    });
    expect(await contactOf(one)).toMatchObject({
      name: 'Ana "A"',
      tags: ["new", "vip"],
      attributes: { city: "Re;cife", orders: 3 },
      marketing_consent: "opted_in",
      consent_source: "import",
    });
    expect(await contactOf(two)).toMatchObject({ name: null, attributes: { vip: true }, marketing_consent: "unknown" });
    expect(await eventsOf("contact_created")).toBe((before[0] ?? 0) + 2);
    const updates = await eventsOf("contact_updated");
    const again = await imported(file);
    expect(again.progress).toMatchObject({ rows: 2, created: 0, updated: 0, failed: 0 });
    expect([await eventsOf("contact_created"), await eventsOf("contact_updated")]).toEqual([
      (before[0] ?? 0) + 2,
      updates,
    ]);
    const changed = await imported(`phone,name\n${two},Ben\n`);
    expect(changed.progress).toMatchObject({ rows: 1, created: 0, updated: 1 });
    expect((await theirs.call("GET", `/v1/contacts/imports/${first.id}`)).status).toBe(404);
    expect((await theirs.call("GET", "/v1/contacts")).body.data).toEqual([]);
  });

  it("of NDJSON has contacts as the API takes them; null clears", async () => {
    const phone = number();
    const lines = [
      { phone, name: "Ana", email: "a@example.com", attributes: { n: 1 } },
      { phone, name: null },
    ];
    const done = await imported(`${lines.map((line) => JSON.stringify(line)).join("\n\n")}\n`, NDJSON);
    expect(done).toMatchObject({ format: "ndjson", progress: { rows: 2, created: 1, updated: 1 } });
    expect(await contactOf(phone)).toMatchObject({ name: null, email: "a@example.com", attributes: { n: 1 } });
  });

  it("of a form may say what its columns are", async () => {
    const phone = number();
    const form = new FormData();
    form.append("mapping", JSON.stringify({ Mobile: "phone", City: "attributes.city", Notes: null }));
    form.append("file", new Blob([`\ufeffCity|Mobile|Notes\nRecife|${phone}|x\n`]), "people.csv");
    const answer = await fetch(`${gateway.url}/v1/contacts/imports`, {
      method: "POST",
      headers: { authorization: `Bearer ${mine.key}` },
      body: form,
    });
    const body = (await answer.json()) as { id: string };
    expect([answer.status, answer.headers.get("location")]).toEqual([202, `/v1/contacts/imports/${body.id}`]);
    expect(await ended(body.id)).toMatchObject({
      mapping: { Mobile: "phone", City: "attributes.city", Notes: null },
      progress: { created: 1 },
    });
    expect(await contactOf(phone)).toMatchObject({ attributes: { city: "Recife" } });
  });

  it("is the same request under the same key, by its contents", async () => {
    const phone = number();
    const key = { ...CSV, "idempotency-key": `import-${phone}` };
    const first = await upload(`phone\n${phone}\n`, key);
    const again = await upload(`phone\n${phone}\n`, key);
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([202, first.text, "true"]);
    const other = await upload(`phone\n${number()}\n`, key);
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
    await ended(first.body.id);
    // Each is deleted after the commit that has no need of it any more.
    await expect.poll(filesOf, PATIENCE).toEqual([]);
  });
});

/** Files in the store. */
async function filesOf(): Promise<string[]> {
  const { readdir } = await import("node:fs/promises");
  const entries = await readdir(`${gateway.app.config.WAYPOST_DATA_DIR}/files/imports`, {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe("rows that are refused", () => {
  it("hold back no other, and are listed with their lines", async () => {
    const [good, last] = [number(), number()];
    const rows = [
      "phone,email,locale,tags,attributes.n:number,marketing_consent",
      `${good},a@example.com,pt_BR,vip,1,`,
      "12345,,,,,",
      `${number()},no-address,,,,`,
      "",
      `"${number()}","a@example.com","x\ny",,,`,
      `${number()},,,,many,`,
      `${number()},,,,,maybe`,
      `${number()},too,few`,
      ",,,,,",
      `${last},,,,,`,
    ];
    const done = await imported(`${rows.join("\n")}\n`);
    expect(done).toMatchObject({ status: "completed", progress: { rows: 8, created: 2, failed: 6 } });
    const errors = await errorsOf(done.id);
    expect(errors.map(({ row, line, column, code }) => [row, line, column, code])).toEqual([
      [2, 3, "phone", "invalid_phone_number"],
      [3, 4, "email", "invalid_value"],
      [4, 6, "locale", "invalid_value"],
      [5, 8, "attributes.n:number", "invalid_value"],
      [6, 9, "marketing_consent", "invalid_value"],
      [7, 10, null, "invalid_row"],
    ]);
    const page = await mine.call("GET", `/v1/contacts/imports/${done.id}/errors?limit=3`);
    const next = await mine.call(
      "GET",
      `/v1/contacts/imports/${done.id}/errors?limit=3&cursor=${page.body.next_cursor}`,
    );
    expect([...page.body.data, ...next.body.data]).toEqual(errors.slice(0, 6));
    const csv = await mine.call("GET", `/v1/contacts/imports/${done.id}/errors`, { headers: { accept: "text/csv" } });
    expect(csv.text.split("\r\n").slice(0, 2)).toEqual([
      "row,line,column,code,detail",
      expect.stringContaining("2,3,phone,invalid_phone_number,"),
    ]);
    const other = await theirs.call("GET", `/v1/contacts/imports/${done.id}/errors`, {
      headers: { accept: "text/csv" },
    });
    expect(other.status).toBe(404);
  });

  it("of NDJSON too, with texts that the database would refuse", async () => {
    const phone = number();
    const lines = [
      "[1]",
      "{",
      JSON.stringify({ phone, nickname: "x" }),
      JSON.stringify({ phone, attributes: { a: "\u0000" } }),
      JSON.stringify({ phone, attributes: { a: { deep: 1 } } }),
      JSON.stringify({ phone, name: "x".repeat(1_000_000) }),
      JSON.stringify({ phone, name: "Ana" }),
    ];
    const done = await imported(lines.join("\n"), NDJSON);
    expect(done.progress).toMatchObject({ rows: 7, created: 1, failed: 6 });
    expect((await errorsOf(done.id)).map(({ line, column, code }) => [line, column, code])).toEqual([
      [1, null, "invalid_row"],
      [2, null, "invalid_row"],
      [3, "nickname", "unknown_field"],
      [4, "attributes.a", "invalid_text"],
      [5, "attributes.a", "invalid_value"],
      [6, null, "invalid_row"],
    ]);
  });

  it("for what a body of JSON may not have either, or for values nested without end", async () => {
    const deep = `${"[".repeat(400_000)}${"]".repeat(400_000)}`;
    const phone = number();
    const lines = [
      `{"phone":"${phone}","attributes":{"__proto__":"x"}}`,
      `{"phone":"${phone}","attributes":{"n":12345678901234567890}}`,
      `{"phone":"${phone}","tags":["\\ud800"]}`,
      `{"phone":"${phone}","attributes":{"n":${deep}}}`,
      `{"phone":${deep}}`,
    ];
    const ndjson = await imported(lines.join("\n"), NDJSON);
    expect((await errorsOf(ndjson.id)).map(({ line, column, code }) => [line, column, code])).toEqual([
      [1, "attributes.__proto__", "invalid_text"],
      [2, "attributes.n", "number_out_of_range"],
      [3, "tags", "invalid_text"],
      [4, "attributes.n", "invalid_value"],
      [5, "phone", "invalid_value"],
    ]);
    const rows = ["phone,attributes.__proto__,attributes", `${phone},x,`, `${phone},,"{""__proto__"":1}"`];
    const csv = await imported([...rows, `${phone},,"{""n"":${deep}}"`].join("\n"));
    expect((await errorsOf(csv.id)).map(({ line, column, code }) => [line, column, code])).toEqual([
      [2, "attributes.__proto__", "invalid_text"],
      [3, "attributes.__proto__", "invalid_text"],
      [4, "attributes", "invalid_value"],
    ]);
    expect(await contactOf(phone)).toBeUndefined();
  });

  it("by the rules of the whole contact name the column of the file too", async () => {
    const phone = number();
    const tags = (of: string) => Array.from({ length: 60 }, (_, n) => `${of}${n}`).join(";");
    const mapping = JSON.stringify({ " Mobile ": "phone", Labels: "tags" });
    const file = ` Mobile ,Labels\n${phone},${tags("a")}\n${phone},${tags("b")}\n`;
    const done = await imported(file, CSV, `?mapping=${encodeURIComponent(mapping)}`);
    expect(done.progress).toMatchObject({ rows: 2, created: 1, failed: 1 });
    expect((await errorsOf(done.id)).map(({ line, column, code }) => [line, column, code])).toEqual([
      [3, "Labels", "too_many"],
    ]);
  });

  it("end the import where a quote never ends, with what came before it", async () => {
    const phone = number();
    const done = await imported(`phone,name\n${phone},Ana\n${number()},"Ben\n${"x\n".repeat(600_000)}`);
    expect(done).toMatchObject({ status: "failed", error: { code: "invalid_csv" }, progress: { rows: 1, created: 1 } });
    expect(done.error.detail).toContain("Line 3:");
    expect(await contactOf(phone)).toMatchObject({ name: "Ana" });
  });
});

describe("files that cannot be read are refused whole", () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("phone\n+15551230001\n", "utf16le")]);
  const good = "phone\n+15552019999\n";
  it.each<[string, string | Uint8Array, string]>([
    ["UTF-16", utf16, "UTF-16"],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0]), "gzip"],
    ["a spreadsheet", Buffer.from("PK\u0003\u0004"), "ZIP"],
    ["NUL", `${good}\u0000`, "NUL"],
    ["Latin-1", Buffer.concat([Buffer.from(`${good}+15552019998,`), Buffer.from([0xe9, 0x0a])]), "not UTF-8 near byte"],
    ["half a character", Buffer.concat([Buffer.from(good), Buffer.from([0xe2, 0x82])]), "not UTF-8"],
    ["nothing", "\ufeff", "empty"],
    ["no names", "\n\n", "no row with the names"],
    ["an unknown column", "phone,shoe size\n", "`shoe size`"],
    ["no number", "name\nAna\n", "no column `phone`"],
    ["a column twice", "phone,name,Name\n", "are both name"],
    ["a separator that is none", "sep=x\nphone\n", "`sep=`"],
    ["too many columns", `phone${",x".repeat(10_000)}\n`, "more than 250"],
    ["no line end", "x".repeat(200_000), "longer than 64 KiB"],
  ])("%s", async (_name, body, detail) => {
    const reply = await upload(body);
    expect([reply.status, reply.body.code, reply.body.detail]).toEqual([
      400,
      "invalid_request",
      expect.stringContaining(detail),
    ]);
    expect(await filesOf()).toEqual([]);
  });

  it.each([
    ['{"Nobody":"phone"}', "no such column"],
    ['{"phone":"shoe"}', "no field of a contact"],
    ["[]", "must be a JSON object"],
  ])("a mapping %s", async (mapping, detail) => {
    const reply = await upload(good, CSV, `?mapping=${encodeURIComponent(mapping)}`);
    expect([reply.status, reply.body.detail]).toEqual([400, expect.stringContaining(detail)]);
  });

  it("another type, a compressed body, a form without a file", async () => {
    expect((await upload("{}", { "content-type": "application/json" })).status).toBe(415);
    expect((await upload(good, { ...CSV, "content-encoding": "gzip" })).status).toBe(415);
    const form = new FormData();
    form.append("mapping", "{}");
    const headers = { authorization: `Bearer ${mine.key}` };
    const empty = await fetch(`${gateway.url}/v1/contacts/imports`, { method: "POST", headers, body: form });
    expect([empty.status, ((await empty.json()) as { detail: string }).detail]).toEqual([400, "The form has no file."]);
    form.append("file", new Blob([good]), "people.csv");
    form.append("more", "x");
    const more = await fetch(`${gateway.url}/v1/contacts/imports`, { method: "POST", headers, body: form });
    expect(more.status).toBe(400);
    const twice = new FormData();
    for (const part of ["people", "file"]) twice.append(part, new Blob([good], { type: "text/csv" }));
    const two = await fetch(`${gateway.url}/v1/contacts/imports`, { method: "POST", headers, body: twice });
    expect(await two.json()).toMatchObject({ status: 400, errors: [{ code: "too_many" }] });
    const broken = await upload("--x\r\nContent-Disposition: form-data; name=a; filename=a.csv\r\n\r\nphone\n", {
      "content-type": "multipart/form-data; boundary=x",
    });
    expect(broken.status).toBe(400);
    expect(await filesOf()).toEqual([]);
  });
});

describe("a part of a form without the name of a file", () => {
  const formOf = (type: string) =>
    `--x\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: ${type}\r\n\r\nphone\n${number()}\n\r\n--x--\r\n`;

  it.each([
    ["application/octet-stream", 415, "The file of the form is not"],
    ["text/csv", 400, "is not a field here"],
  ])("of the type %s is refused", async (type, status, detail) => {
    const reply = await upload(formOf(type), { "content-type": "multipart/form-data; boundary=x" });
    expect([reply.status, reply.body.detail]).toEqual([status, expect.stringContaining(detail)]);
    expect(await filesOf()).toEqual([]);
  });
});

describe("an upload that breaks off", () => {
  const form = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`;

  it.each([
    ["text/csv", ""],
    ["multipart/form-data; boundary=x", form],
  ])("leaves no file: %s", async (type, before) => {
    const url = new URL(gateway.url);
    const socket = connect(Number(url.port), url.hostname);
    const head = `POST /v1/contacts/imports HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${mine.key}\r\ncontent-type: ${type}\r\n`;
    socket.write(`${head}content-length: 100000\r\n\r\n${before}phone\n${number()}\n`);
    await expect.poll(filesOf, PATIENCE).toEqual([expect.stringMatching(/\.part$/)]);
    socket.destroy();
    await expect.poll(filesOf, PATIENCE).toEqual([]);
  });
});

describe("consent", () => {
  it("that the person gave or took back since the file was sent stays", async () => {
    const sender = await gateway.sender();
    const phone = number();
    await sender.inbound(phone.slice(1), "STOP");
    const [stopped] = (await sender.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`)).body.data;
    expect(stopped).toMatchObject({ marketing_consent: "opted_out", consent_source: "keyword" });
    gateway.clock.advance(5_000);
    const same = await upload(`phone,marketing_consent\n${phone},opted_out\n`, CSV, "", sender);
    expect((await ended(same.body.id, sender)).progress).toMatchObject({ rows: 1, updated: 0 });
    const after = (await sender.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`)).body.data[0];
    expect(after).toEqual(stopped);
  });
});

describe("exports", () => {
  it.each([CSV, NDJSON])(
    "of the largest contacts are imported again, each in a file of its own kind: %j",
    async (type) => {
      const of = await gateway.workspace();
      // The longest that a character can be in JSON; a body has a part of the attributes.
      const value = "\u0001".repeat(1_024);
      const attributesOf = (from: number) =>
        Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${from + n}`.padStart(64, "a"), value]));
      const tags = Array.from({ length: 100 }, (_, n) => `;${"🙂".repeat(60)}${n}`);
      const phones = [number(), number(), number()];
      for (const phone of phones) {
        const { body } = await of.call("POST", "/v1/contacts", { body: { phone, name: "🙂".repeat(256), tags } });
        for (let from = 0; from < 100; from += 20) {
          const change = { attributes: attributesOf(from) };
          expect((await of.call("PATCH", `/v1/contacts/${body.id}`, { body: change })).status).toBe(200);
        }
      }
      const file = await of.call("GET", "/v1/contacts/export", { headers: { accept: type["content-type"]! } });
      expect(file.text.length).toBeGreaterThan(phones.length * 600_000);
      const into = await gateway.workspace();
      const reply = await upload(file.text, type, "", into);
      const done = await ended(reply.body.id, into);
      expect(done).toMatchObject({ status: "completed", progress: { rows: phones.length, created: phones.length } });
      const { data } = (await into.call("GET", "/v1/contacts")).body;
      expect(data.map(({ phone }: { phone: string }) => phone).toSorted()).toEqual(phones);
      const of100 = Object.assign({}, ...[0, 20, 40, 60, 80].map(attributesOf));
      for (const contact of data) expect(contact).toMatchObject({ tags: tags.toSorted(), attributes: of100 });
    },
  );

  it("come back without a change, as CSV and as NDJSON", async () => {
    const of = await gateway.workspace();
    const contacts = [
      { phone: number(), name: "=1+1", attributes: { n: 1, text: "+x", yes: true }, tags: ["-a", "b"] },
      { phone: number(), name: "'@x", email: "a@example.com", marketing_consent: "opted_out" },
      { phone: number(), locale: "pt_BR", attributes: { note: 'two "lines"\nand, more' } },
      { phone: number(), name: " Ana ", tags: ["a;b", "[x", "'=y"] },
      { phone: number(), tags: ["[x"] },
    ];
    await of.call("POST", "/v1/contacts/batch", { body: { contacts } });
    const list = (await of.call("GET", "/v1/contacts?limit=100")).body.data;
    const events = async () => (await of.rows("select 1 from event")).length;
    const before = await events();
    for (const accept of ["text/csv", "application/x-ndjson"]) {
      const file = await of.call("GET", "/v1/contacts/export", { headers: { accept } });
      expect(file.headers["content-type"]).toBe(`${accept}; charset=utf-8`);
      const reply = await upload(file.text, { "content-type": accept }, "", of);
      const done = await ended(reply.body.id, of);
      expect(await errorsOf(done.id)).toBeUndefined();
      expect(done.progress).toMatchObject({ rows: 5, created: 0, updated: 0, failed: 0 });
    }
    expect((await of.call("GET", "/v1/contacts?limit=100")).body.data).toEqual(list);
    expect(await events()).toBe(before);
    const lines = (await of.call("GET", "/v1/contacts/export", { headers: NDJSON_ACCEPT })).text.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(list);
    const copy = await gateway.workspace();
    const csv = (await of.call("GET", "/v1/contacts/export")).text;
    const moved = await upload(csv, CSV, "", copy);
    expect((await ended(moved.body.id, copy)).progress).toMatchObject({ rows: 5, created: 5 });
    const plain = (all: Reply["body"][]) =>
      all
        .map(({ phone, name, email, locale, attributes, tags, marketing_consent }) =>
          JSON.stringify([phone, name, email, locale, Object.entries(attributes).toSorted(), tags, marketing_consent]),
        )
        .toSorted();
    expect(plain((await copy.call("GET", "/v1/contacts?limit=100")).body.data)).toEqual(plain(list));
    const one = await of.call("GET", `/v1/contacts/export?phone=${encodeURIComponent(list[0].phone)}`);
    expect(one.text.trim().split("\r\n").length).toBe(2);
  });
});
const NDJSON_ACCEPT = { accept: "application/x-ndjson" };

describe("an import", () => {
  it("is listed, and can be canceled while it waits for another", async () => {
    const of = await gateway.workspace();
    await of.rows("select 1"); // the workspace exists
    const rows = Array.from({ length: 1_000 }, () => number()).join("\n");
    const first = (await upload(`phone\n${rows}\n`, CSV, "", of)).body;
    const second = (await upload(`phone\n${number()}\n`, CSV, "", of)).body;
    const canceled = await of.call("POST", `/v1/contacts/imports/${second.id}/cancel`);
    expect([canceled.status, canceled.body.status]).toEqual([200, "canceled"]);
    expect((await of.call("POST", `/v1/contacts/imports/${second.id}/cancel`)).text).toBe(canceled.text);
    expect((await theirs.call("POST", `/v1/contacts/imports/${second.id}/cancel`)).status).toBe(404);
    expect((await ended(first.id, of)).progress).toMatchObject({ rows: 1_000, created: 1_000 });
    const list = (await of.call("GET", "/v1/contacts/imports")).body;
    expect(list.data.map(({ id, status }: Reply["body"]) => [id, status])).toEqual([
      [second.id, "canceled"],
      [first.id, "completed"],
    ]);
    await expect.poll(filesOf, PATIENCE).toEqual([]);
    const jobs = await of.rows<{ status: string }>("select status from job where kind = 'contacts.import'");
    await expect.poll(() => jobs.length).toBe(2);
  });

  it("goes on through empty lines by turns, and can be canceled among them", async () => {
    const of = await gateway.workspace();
    const { body } = await upload(`phone\n${number()}\n${"\n".repeat(4_000_000)}${number()}\n`, CSV, "", of);
    const path = `/v1/contacts/imports/${body.id}`;
    const read = async (): Promise<Reply["body"]["progress"]> => {
      gateway.clock.advance(5_000);
      return (await of.call("GET", path)).body.progress;
    };
    await expect.poll(async () => (await read()).bytes, PATIENCE).toBeGreaterThan(50_000);
    const { body: canceled } = await of.call("POST", `${path}/cancel`);
    expect(canceled).toMatchObject({ status: "canceled", progress: { rows: 1, created: 1, failed: 0 } });
  });

  it("of a suspended workspace waits", async () => {
    const of = await gateway.workspace();
    await gateway.operator("PATCH", `/admin/v1/workspaces/${of.id}`, { body: { status: "suspended" } });
    await gateway.operator("PATCH", `/admin/v1/workspaces/${of.id}`, { body: { status: "active" } });
    const { body } = await upload(`phone\n${number()}\n`, CSV, "", of);
    expect((await ended(body.id, of)).status).toBe("completed");
  });

  it("whose file is gone fails with a text for the operator", async () => {
    const of = await gateway.workspace();
    const store = gateway.features.services.files;
    const rows = Array.from({ length: 1_000 }, () => number()).join("\n");
    const first = await upload(`phone\n${rows}\n`, CSV, "", of);
    const { body } = await upload(`phone\n${number()}\n`, CSV, "", of);
    await store.delete({ area: "imports", workspaceId: of.uuid, id: parseId("imp", body.id) ?? "" });
    expect((await ended(first.body.id, of)).status).toBe("completed");
    const done = await vi.waitFor(async () => {
      gateway.clock.advance(2_000);
      const { body: now } = await of.call("GET", `/v1/contacts/imports/${body.id}`);
      if (now.completed_at === null) throw new Error(now.status);
      return now;
    }, PATIENCE);
    expect(done).toMatchObject({ status: "failed", error: { code: "file_missing" } });
  });
});
