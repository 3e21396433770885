import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const kinds = async (id: string) =>
  (
    await mine.rows<{ kind: string }>("select kind from event where contact_id = $1 order by sequence", [
      await uuidOf(id),
    ])
  ).map(({ kind }) => kind);
const uuidOf = async (id: string): Promise<string> => {
  const { parseId } = await import("../../lib/ids.ts");
  return parseId("con", id) ?? "";
};

describe("a contact", () => {
  it("is created with everything that can be said of it, once", async () => {
    const body = {
      phone: "+1 (555) 123-1001",
      name: "Ana",
      email: "ana@example.com",
      locale: "pt_BR",
      attributes: { city: "Recife", orders: 3, member: true },
      tags: ["vip", "a"],
      marketing_consent: "opted_in",
    };
    const made = await mine.call("POST", "/v1/contacts", { body });
    expect(made).toMatchObject({
      status: 201,
      body: { ...body, phone: "+15551231001", tags: ["a", "vip"], consent_source: "client", windows: [] },
    });
    expect(made.headers["location"]).toBe(`/v1/contacts/${made.body.id}`);
    expect(made.headers["etag"]).toMatch(/^"\d+"$/);
    expect(await kinds(made.body.id)).toEqual(["contact_created", "opted_in"]);
    const read = await mine.call("GET", `/v1/contacts/${made.body.id}`);
    expect(read.body).toEqual(made.body);
    expect(read.headers["etag"]).toBe(made.headers["etag"]);
    expect((await theirs.call("GET", `/v1/contacts/${made.body.id}`)).status).toBe(404);

    const again = await mine.call("POST", "/v1/contacts", { body: { phone: "+15551231001" } });
    expect(again).toMatchObject({ status: 409, body: { code: "contact_exists" } });
    expect(again.text).toContain(made.body.id);
    expect((await theirs.call("POST", "/v1/contacts", { body: { phone: "+15551231001" } })).status).toBe(201);
  });

  it("is found by every form of its number", async () => {
    const made = await mine.call("POST", "/v1/contacts", { body: { phone: "+55 11 8765-4321" } });
    expect(made.status).toBe(201);
    const other = await mine.call("POST", "/v1/contacts?on_conflict=update", {
      body: { phone: "+5511987654321", name: "Bia" },
    });
    expect(other).toMatchObject({ status: 200, body: { id: made.body.id, name: "Bia" } });
    const found = await mine.call("GET", "/v1/contacts?phone=%2B551187654321");
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([made.body.id]);
  });

  it("is changed in parts, with an event for each change and none for what is so already", async () => {
    const made = await mine.call("POST", "/v1/contacts", {
      body: { phone: "+15551231003", name: "Cy", attributes: { a: 1, b: "x" }, tags: ["one"] },
    });
    const path = `/v1/contacts/${made.body.id}`;
    gateway.clock.advance(5);
    const changed = await mine.call("PATCH", path, { body: { name: null, attributes: { a: null, c: true } } });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: null, attributes: { b: "x", c: true }, tags: ["one"] },
    });
    expect(changed.body.updated_at > made.body.updated_at).toBe(true);
    gateway.clock.advance(5);
    const same = await mine.call("PATCH", path, { body: { name: null, attributes: { c: true } } });
    expect(same.body).toEqual(changed.body);
    expect(same.headers["etag"]).toBe(changed.headers["etag"]);
    const tagged = await mine.call("POST", `${path}/tags`, { body: { tags: ["two", "one"] } });
    expect(tagged.body.tags).toEqual(["one", "two"]);
    expect((await mine.call("DELETE", `${path}/tags/one`)).body.tags).toEqual(["two"]);
    expect((await mine.call("DELETE", `${path}/tags/one`)).status).toBe(200);
    expect(await kinds(made.body.id)).toEqual(["contact_created", ...Array(3).fill("contact_updated")]);
  });

  it("is changed only in the version that the caller knows", async () => {
    const made = await mine.call("POST", "/v1/contacts", { body: { phone: "+15551231004" } });
    const path = `/v1/contacts/${made.body.id}`;
    const headers = { "If-Match": made.headers["etag"] ?? "" };
    expect((await mine.call("PATCH", path, { body: { name: "One" }, headers })).status).toBe(200);
    const refused = { status: 412, body: { code: "precondition_failed" } };
    expect(await mine.call("PATCH", path, { body: { name: "Two" }, headers })).toMatchObject(refused);
    expect(await mine.call("POST", `${path}/tags`, { body: { tags: ["two"] }, headers })).toMatchObject(refused);
    expect(await mine.call("DELETE", `${path}/tags/two`, { headers })).toMatchObject(refused);
    expect((await mine.call("GET", path)).body).toMatchObject({ name: "One", tags: [] });
  });

  it("has limits that are said", async () => {
    const tags = Array.from({ length: 100 }, (_, index) => `t${index}`);
    const made = await mine.call("POST", "/v1/contacts", { body: { phone: "+15551231005", tags } });
    expect(made.status).toBe(201);
    const more = await mine.call("POST", `/v1/contacts/${made.body.id}/tags`, { body: { tags: ["one more"] } });
    expect(more).toMatchObject({ status: 400, body: { errors: [{ pointer: "/tags", code: "too_many" }] } });
    const bad = await mine.call("POST", "/v1/contacts", { body: { phone: "+15551231006", attributes: { "a b": 1 } } });
    expect(bad.status).toBe(400);
    expect(await mine.call("POST", "/v1/contacts", { body: { phone: "5551231006" } })).toMatchObject({
      status: 422,
      body: { code: "invalid_phone_number", errors: [{ pointer: "/phone" }] },
    });
  });

  it("has its tags among those of the workspace, by how many have each", async () => {
    const of = await gateway.sender();
    const add = async (last: number, tags: string[]) =>
      (await of.call("POST", "/v1/contacts", { body: { phone: `+1555123900${last}`, tags } })).body.id;
    const [ana] = [await add(1, ["vip", "b"]), await add(2, ["vip"]), await add(3, ["a"])];
    const tags = async () => (await of.call("GET", "/v1/contacts/tags")).body;
    const count = (name: string, count: number) => ({ name, count });
    expect(await tags()).toEqual({ data: [count("vip", 2), count("a", 1), count("b", 1)], complete: true });
    expect((await of.call("DELETE", `/v1/contacts/${ana}`)).status).toBe(204);
    expect(await tags()).toEqual({ data: [count("a", 1), count("vip", 1)], complete: true });
  });

  it("is one when two create it at the same moment under two forms of a number", async () => {
    const forms = ["+5521987650000", "+552187650000", "+55 21 98765-0000", "+55 21 8765-0000"];
    const answers = await Promise.all(
      forms.map((phone) => mine.call("POST", "/v1/contacts?on_conflict=update", { body: { phone, tags: [phone] } })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const { body } = await mine.call("GET", `/v1/contacts/${answers[0]?.body.id}`);
    expect(body.tags).toHaveLength(4);
  });
});

describe("a batch of contacts", () => {
  it("creates, changes and refuses each of them, and does it once", async () => {
    const known = await mine.call("POST", "/v1/contacts", { body: { phone: "+15551232001", name: "Known" } });
    const contacts = [
      { phone: "+15551232001", tags: ["x"] },
      { phone: "+15551232002", name: "New" },
      { phone: "12" },
      { phone: "+15551232003", name: 7 },
      { phone: "+1 555 123 2002", name: "New" },
      { phone: "+15551232001" },
    ];
    const post = () =>
      mine.call("POST", "/v1/contacts/batch", { body: { contacts }, headers: { "X-Idempotency-Key": "batch" } });
    const answer = await post();
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject([
      { index: 0, outcome: "updated", contact: { id: known.body.id, name: "Known", tags: ["x"] } },
      { index: 1, outcome: "created", contact: { name: "New" } },
      { index: 2, error: { code: "invalid_phone_number" } },
      { index: 3, error: { code: "invalid_request", errors: [{ pointer: "/name" }] } },
      { index: 4, outcome: "unchanged" },
      { index: 5, outcome: "unchanged" },
    ]);
    expect(answer.body.data[4].contact.id).toBe(answer.body.data[1].contact.id);
    expect((await post()).text).toBe(answer.text);
  });

  it("waits for another that changes the same people, as one contact does", async () => {
    const contacts = [{ phone: "+15551232011", tags: ["x"] }];
    const [made] = (await mine.call("POST", "/v1/contacts/batch", { body: { contacts } })).body.data;
    const replies = await gateway.app.db.transaction(mine.uuid, async (sql) => {
      await sql.query("select from contact where id = $1 for update", [await uuidOf(made.contact.id)]);
      const waiting = [
        mine.call("POST", "/v1/contacts/batch", { body: { contacts: [{ phone: "+15551232011", tags: ["y"] }] } }),
        mine.call("POST", "/v1/contacts?on_conflict=update", { body: { phone: "+15551232011", tags: ["z"] } }),
      ];
      await sql.query("select pg_sleep(0.4)"); // as long as a batch of a thousand has its rows
      return { waiting };
    });
    expect((await Promise.all(replies.waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await mine.call("GET", `/v1/contacts/${made.contact.id}`)).body.tags).toEqual(["x", "y", "z"]);
  });

  it("takes a thousand at a time", async () => {
    const contacts = Array.from({ length: 1_000 }, (_, index) => ({
      phone: `+1555200${String(index).padStart(4, "0")}`,
    }));
    const answer = await mine.call("POST", "/v1/contacts/batch", { body: { contacts } });
    expect(answer.body.data.filter(({ outcome }: { outcome: string }) => outcome === "created")).toHaveLength(1_000);
    const again = await mine.call("POST", "/v1/contacts/batch", { body: { contacts } });
    expect(again.body.data.filter(({ outcome }: { outcome: string }) => outcome === "unchanged")).toHaveLength(1_000);
  });
});
