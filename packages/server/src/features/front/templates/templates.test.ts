import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { expectGraphError, ofAccount, VERSION } from "../testing/front.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  gateway.simulator.setDelays({ reviewMs: null });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const BODY = { type: "BODY", text: "Hi {{1}}, your parcel is here.", example: { body_text: [["Ana"]] } };
const list = async (query = "", of = mine) => (await of.call("GET", ofAccount(of, `/message_templates${query}`))).body;
const namesOf = async (query: string): Promise<string[]> =>
  (await list(query)).data.map(({ name }: { name: string }) => name);
const create = (body: object, headers: Record<string, string> = {}) =>
  mine.call("POST", ofAccount(mine, "/message_templates"), {
    body: { language: "en_US", category: "UTILITY", components: [BODY], ...body },
    headers,
  });
const limited = async (...phone_number_ids: string[]) => {
  const { body } = await mine.call("POST", "/v1/api-keys", {
    body: { name: "limited", scopes: ["*"], phone_number_ids },
  });
  return gateway.as(body.key);
};

describe("GET /{account}/message_templates", () => {
  test("has what the provider's list has, of this account alone", async () => {
    const { data, paging } = await list();
    expect(data).toHaveLength(Object.keys(mine.account.templates).length);
    const ready = data.find(({ name }: { name: string }) => name === "order_ready");
    expect(ready).toEqual({
      id: mine.account.templates["order_ready"],
      name: "order_ready",
      language: "en_US",
      status: "APPROVED",
      category: "UTILITY",
      parameter_format: "POSITIONAL",
      components: [expect.objectContaining({ type: "BODY" })],
      rejected_reason: "NONE",
      quality_score: { score: "UNKNOWN", date: expect.any(Number) },
    });
    expect(paging).toEqual({ cursors: { before: expect.any(String), after: expect.any(String) } });
    const ids = [...data, ...(await list("", theirs)).data].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const some = (await list("?fields=name,quality_score{score},sub_category&name=order_ready")).data;
    expect(some).toEqual([{ id: ready.id, name: "order_ready", quality_score: ready.quality_score }]);
  });

  test("is narrowed by texts and lists", async () => {
    const all = await namesOf("");
    expect(await namesOf("?name=rder_read")).toEqual(["order_ready"]);
    expect(await namesOf("?status=APPROVED&name=order_ready")).toEqual(["order_ready"]);
    expect(await namesOf("?status=REJECTED")).toEqual([]);
    const statuses = encodeURIComponent('["APPROVED","PENDING","PAUSED"]');
    expect(await namesOf(`?status=${statuses}&language=en_US&quality_score=UNKNOWN`)).toEqual(all);
    expect(await namesOf("?category=AUTHENTICATION")).toEqual([]);
    expect(await namesOf("?name_or_content=ORDER%20NO%20SUCH")).toEqual([]);
    expect(await namesOf("?name_or_content=order_ready")).toEqual(["order_ready"]);
    const { text } = (await list("?name=order_ready")).data[0].components[0];
    expect(await namesOf(`?content=${encodeURIComponent(text.toUpperCase())}`)).toContain("order_ready");
  });

  test("is walked forth and back by links without a key", async () => {
    const all = await namesOf("");
    const follow = async (url: string) => (await mine.call("GET", url.slice(new URL(url).origin.length))).body;
    const pages = [await list("?limit=1&fields=name")];
    while (pages.at(-1).paging.next !== undefined) pages.push(await follow(pages.at(-1).paging.next));
    expect(pages.map(({ data }) => data[0].name)).toEqual(all);
    expect(pages[0].paging.next).not.toContain(mine.key);
    expect(Object.keys(pages.at(-1).data[0])).toEqual(["id", "name"]);
    const back = [pages.at(-1)];
    while (back.at(-1).paging.previous !== undefined) back.push(await follow(back.at(-1).paging.previous));
    expect(back.map(({ data }) => data[0].name)).toEqual(all.toReversed());
    expect((await list("?status=REJECTED")).paging).toBeUndefined();
  });

  test("has the four counts of a summary where they are asked for", async () => {
    const asked = "total_count,message_template_count,message_template_limit,are_translations_complete";
    const count = (await namesOf("")).length;
    expect((await list(`?summary=${asked}&name=order_ready`)).summary).toEqual({
      total_count: 1,
      message_template_count: count,
      message_template_limit: 6000,
      are_translations_complete: true,
    });
    expect((await list("?summary=total_count")).summary).toEqual({ total_count: count });
    expect((await list()).summary).toBeUndefined();
  });

  test("refuses what it cannot read, and what is another workspace's like what is unknown", async () => {
    for (const query of ["?limit=0", "?limit=x", "?after=x", "?summary=colour", "?status=%5B%7B%7D%5D"])
      expectGraphError(await mine.call("GET", ofAccount(mine, `/message_templates${query}`)), 400, 100);
    for (const path of [ofAccount(theirs), `/${VERSION}/1`, `/${VERSION}/${mine.account.providerPhoneNumberId}`])
      expectGraphError(await mine.call("GET", `${path}/message_templates`), 400, 100, 33);
    const sending = await gateway.workspace(["messages:write"]);
    expectGraphError(await sending.call("GET", ofAccount(mine, "/message_templates")), 403, 10);
  });

  test("is read by a key of a number of the account, and changed by none of a number", async () => {
    const call = await limited(mine.phoneNumberId);
    expect((await call("GET", ofAccount(mine, "/message_templates"))).body).toEqual(await list());
    expectGraphError(await call("DELETE", ofAccount(mine, "/message_templates?name=order_ready")), 403, 10);
    const id = mine.account.templates["order_ready"];
    expect((await call("GET", `/${VERSION}/${id}?fields=name`)).body).toEqual({ id, name: "order_ready" });
    expectGraphError(await call("POST", `/${VERSION}/${id}`, { body: { category: "MARKETING" } }), 403, 10);
    const other = await gateway.connect(mine);
    expectGraphError(await call("GET", ofAccount(other, "/message_templates")), 400, 100, 33);
    expectGraphError(await call("GET", `/${VERSION}/${other.account.templates["order_ready"]}`), 400, 100, 33);
  });
});

describe("POST /{account}/message_templates", () => {
  test("submits to the account of the path, and answers as the provider does", async () => {
    const made = await create({
      name: "created",
      parameter_format: "POSITIONAL",
      components: [{ type: "HEADER", format: "TEXT", text: "Parcel", example: null }, BODY],
      sub_category: null,
      allow_category_change: true,
      message_send_ttl_seconds: 60,
    });
    expect([made.status, made.body]).toEqual([
      200,
      { id: expect.stringMatching(/^\d+$/), status: "PENDING", category: "UTILITY" },
    ]);
    const { data } = await list("?name=created");
    expect(data).toEqual([expect.objectContaining({ id: made.body.id, status: "PENDING", language: "en_US" })]);
    const { body: audit } = await mine.call("GET", "/v1/audit/activity?action=template.create");
    expect(audit.data[0]).toMatchObject({
      resource: { type: "template" },
      request: { path: "/{account}/message_templates" },
    });
  });

  test("takes a form, and gives the first answer again to the same key", async () => {
    const form = new URLSearchParams({ name: "of_form", language: "de", category: "UTILITY" });
    form.set("components", JSON.stringify([BODY]));
    const headers = { "content-type": "application/x-www-form-urlencoded", "idempotency-key": "template-1" };
    const path = ofAccount(mine, "/message_templates");
    const first = await mine.call("POST", path, { body: form.toString(), headers });
    const again = await mine.call("POST", path, { body: form.toString(), headers });
    expect([first.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, first.text, "true"]);
  });

  test("refuses in the provider's way, and says where", async () => {
    await create({ name: "taken" });
    expectGraphError(
      await create({ name: "taken", components: [{ ...BODY, text: "Hi {{1}}, another." }] }),
      400,
      100,
      2388024,
    );
    const pointersOf = async (body: object) => {
      const refused = await create(body);
      expectGraphError(refused, 400, 100);
      return refused.body.error.error_data.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await pointersOf({ name: "faulty", language: "xx_XX" })).toEqual(["/language"]);
    expect(await pointersOf({ name: "faulty", library_template_name: "delivery_1" })).toEqual([
      "/library_template_name",
    ]);
    expect(await pointersOf({ name: "faulty", components: [{ type: "BODY", text: "" }] })).toEqual([
      "/components/0/text",
    ]);
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    for (const components of [deep, '[{"type":"BODY","text":"a\\u0000"}]'])
      expectGraphError(await create({ name: "faulty", components }), 400, 100);
    gateway.simulator.addFault({ kind: "refuse", code: 200, operation: "create_template" });
    expectGraphError(await create({ name: "refused" }), 400, 200);
    expectGraphError(
      await mine.call("POST", ofAccount(theirs, "/message_templates"), { body: { name: "x" } }),
      400,
      100,
      33,
    );
  });
});

describe("a template by its id", () => {
  test("is read and edited", async () => {
    const { id } = (await create({ name: "edited" })).body;
    const path = `/${VERSION}/${id}`;
    gateway.simulator.decideTemplate(id, { status: "REJECTED", reason: "SCAM" });
    await expect.poll(async () => (await mine.call("GET", path)).body.status, { timeout: 20_000 }).toBe("REJECTED");
    expect((await mine.call("GET", `${path}?fields=rejected_reason`)).body).toEqual({ id, rejected_reason: "SCAM" });
    const components = [{ ...BODY, text: "Hi {{1}}, your order is here." }];
    const edited = await mine.call("POST", path, {
      body: { components, parameter_format: "positional", category: null },
    });
    expect([edited.status, edited.body]).toEqual([200, { success: true, id, name: "edited", category: "UTILITY" }]);
    expect((await mine.call("GET", path)).body.components[0].text).toBe(components[0]?.text);
    expectGraphError(await mine.call("POST", path, { body: { parameter_format: "NAMED" } }), 400, 100);
    expectGraphError(await mine.call("POST", path, { body: { name: "other" } }), 400, 100);
    for (const method of ["GET", "POST"] as const)
      expectGraphError(
        await theirs.call(method, path, method === "POST" ? { body: { components } } : {}),
        400,
        100,
        33,
      );
  });
});

describe("DELETE /{account}/message_templates", () => {
  const remove = (query: string, options: { body?: unknown; headers?: Record<string, string> } = {}, of = mine) =>
    of.call("DELETE", ofAccount(mine, `/message_templates${query}`), options);

  test("by name deletes every language, each with its row in the audit log", async () => {
    for (const language of ["en_US", "de"]) await create({ name: "two_languages", language });
    await create({ name: "two_languages_more" });
    expectGraphError(await remove("?name=two_languages", {}, theirs), 400, 100, 33);
    expect((await remove("?name=two_languages")).body).toEqual({ success: true });
    expect(await namesOf("?name=two_languages")).toEqual(["two_languages_more"]);
    const { body: audit } = await mine.call("GET", "/v1/audit/activity?action=template.delete&limit=2");
    const deleted = audit.data.map(({ resource }: { resource: { id: string } }) => resource.id);
    expect([new Set(deleted).size, ...deleted]).toEqual([
      2,
      expect.stringMatching(/^tpl_/),
      expect.stringMatching(/^tpl_/),
    ]);
    expectGraphError(await remove("?name=two_languages"), 400, 100, 2593002);
    expectGraphError(await remove(""), 400, 100);
  });

  test("with an id deletes that one alone, and only by its name", async () => {
    const ids: Record<string, string> = {};
    for (const language of ["en_US", "de", "fr"]) ids[language] = (await create({ name: "some", language })).body.id;
    expectGraphError(await remove(`?name=other&hsm_id=${ids["de"]}`), 400, 100, 2593002);
    expectGraphError(
      await remove(`?name=order_ready&hsm_id=${theirs.account.templates["order_ready"]}`),
      400,
      100,
      2593002,
    );
    // A number that large is another one once JavaScript has read it.
    expectGraphError(await remove("", { body: { name: "some", hsm_id: Number(ids["de"]) } }), 400, 100);
    expect((await remove("", { body: { name: "some", hsm_id: ids["de"] } })).body).toEqual({ success: true });
    const form = {
      body: `name=some&hsm_id=${ids["fr"]}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    };
    expect((await remove("", form)).body).toEqual({ success: true });
    const left = (await list("?name=some")).data;
    expect(left.map(({ language }: { language: string }) => language)).toEqual(["en_US"]);
    expectGraphError(await mine.call("GET", `/${VERSION}/${ids["fr"]}`), 400, 100, 33);
    expect((await remove(`?hsm_ids=${encodeURIComponent(JSON.stringify([ids["en_US"]]))}`)).body.success).toBe(true);
  });
});
