import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const vip = { field: "tags", op: "contains", value: "vip" };
const names = (reply: { body: { data: { name: string }[] } }) => reply.body.data.map(({ name }) => name);

describe("a segment", () => {
  it("has whoever fits its filter, live", async () => {
    for (const [phone, name, tags] of [
      ["+15557000001", "Ana", ["vip"]],
      ["+15557000002", "Ben", []],
      ["+15557000003", "Cem", ["vip", "x"]],
    ])
      expect((await mine.call("POST", "/v1/contacts", { body: { phone, name, tags } })).status).toBe(201);
    const made = await mine.call("POST", "/v1/segments", { body: { name: "VIP", filter: vip } });
    expect(made).toMatchObject({ status: 201, body: { name: "VIP", filter: vip, count: 2 } });
    const path = `/v1/segments/${made.body.id}`;
    expect(made.headers["location"]).toBe(path);
    expect(made.body.counted_at).toBe(made.body.created_at);
    expect(names(await mine.call("GET", `${path}/contacts`))).toEqual(["Cem", "Ana"]);
    expect(names(await mine.call("GET", `/v1/contacts?segment_id=${made.body.id}&tag=x`))).toEqual(["Cem"]);

    const first = await mine.call("GET", `${path}/contacts?limit=1`);
    expect(names(first)).toEqual(["Cem"]);
    const second = await mine.call("GET", `${path}/contacts?limit=1&cursor=${first.body.next_cursor}`);
    expect([names(second), second.body.next_cursor]).toEqual([["Ana"], null]);

    const [ben] = (await mine.call("GET", "/v1/contacts?q=ben")).body.data;
    await mine.call("POST", `/v1/contacts/${ben.id}/tags`, { body: { tags: ["vip"] } });
    gateway.clock.advance(1_000);
    const read = await mine.call("GET", path);
    expect(read.body).toMatchObject({ count: 3 });
    expect(read.body.counted_at > made.body.counted_at).toBe(true);
    expect((await mine.call("GET", "/v1/segments")).body.data).toEqual([
      { ...read.body, counted_at: expect.any(String) },
    ]);
  });

  it("is previewed without being there", async () => {
    const of = await gateway.workspace();
    for (let n = 0; n < 12; n++) {
      const body = { phone: `+1555700${1000 + n}`, name: `P${n}`, tags: n === 0 ? [] : ["vip"] };
      expect((await of.call("POST", "/v1/contacts", { body })).status).toBe(201);
    }
    const preview = (filter: object, call = of.call) => call("POST", "/v1/segments/preview", { body: { filter } });
    const { status, body } = await preview(vip);
    expect([status, body.count]).toEqual([200, 11]);
    expect(names({ body })).toEqual(["P11", "P10", "P9", "P8", "P7", "P6", "P5", "P4", "P3", "P2"]);
    expect((await preview({ not: vip })).body).toMatchObject({ count: 1, data: [{ name: "P0" }] });
    expect((await preview({ field: "tags", op: "contains", value: "none" })).body).toEqual({ count: 0, data: [] });
    expect((await preview({ field: "nothing", op: "eq", value: 1 })).body).toMatchObject({
      status: 400,
      errors: [{ pointer: "/filter/field" }],
    });
    expect((await of.call("GET", "/v1/segments")).body.data).toEqual([]);
  });

  it("is changed in the version that the caller knows, and deleted", async () => {
    const made = await mine.call("POST", "/v1/segments", { body: { name: "One", filter: vip } });
    const path = `/v1/segments/${made.body.id}`;
    const headers = { "If-Match": made.headers["etag"] ?? "" };
    const filter = { not: vip };
    const changed = await mine.call("PATCH", path, { body: { filter }, headers });
    expect(changed).toMatchObject({ status: 200, body: { name: "One", filter } });
    expect(changed.body.count).not.toBe(made.body.count);
    for (const method of ["PATCH", "DELETE"] as const)
      expect(
        await mine.call(method, path, { ...(method === "PATCH" && { body: { name: "Two" } }), headers }),
      ).toMatchObject({
        status: 412,
        body: { code: "precondition_failed" },
      });
    const [logged] = await mine.rows(
      "select action, changes from audit where action = 'segment.update' and status = 200",
    );
    // Not whom: the log outlives an erasure.
    expect(logged).toEqual({ action: "segment.update", changes: { fields: ["filter"] } });
    expect((await mine.call("DELETE", path)).status).toBe(204);
    for (const method of ["GET", "DELETE"] as const) expect((await mine.call(method, path)).status).toBe(404);
    expect((await mine.call("GET", `${path}/contacts`)).status).toBe(404);
    expect((await mine.call("GET", `/v1/contacts?segment_id=${made.body.id}`)).body).toEqual({
      data: [],
      next_cursor: null,
      has_more: false,
    });
  });

  it("is found and counted with as many values as a filter can have", async () => {
    await mine.call("POST", "/v1/contacts", { body: { phone: "+15557000009", attributes: { n: "v98" } } });
    const value = Array.from({ length: 100 }, (_, n) => `v${n}`);
    const filter = { any: Array.from({ length: 99 }, () => ({ field: "attributes.n", op: "in", value })) };
    const made = await mine.call("POST", "/v1/segments", { body: { name: "Many", filter } });
    expect(made).toMatchObject({ status: 201, body: { count: 1 } });
    await mine.call("DELETE", `/v1/segments/${made.body.id}`);
  });

  it("belongs to its workspace, and has contacts of it alone", async () => {
    const { body } = await mine.call("POST", "/v1/segments", { body: { name: "Mine", filter: { not: vip } } });
    await theirs.call("POST", "/v1/contacts", { body: { phone: "+15557000001", name: "Other" } });
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/contacts"],
      ["PATCH", ""],
      ["DELETE", ""],
    ] as const)
      expect(
        (await theirs.call(method, `/v1/segments/${body.id}${path}`, method === "PATCH" ? { body: { name: "x" } } : {}))
          .status,
      ).toBe(404);
    expect((await theirs.call("GET", `/v1/contacts?segment_id=${body.id}`)).body.data).toEqual([]);
    expect(names(await mine.call("GET", `/v1/segments/${body.id}/contacts`))).not.toContain("Other");
    expect((await theirs.call("GET", "/v1/segments")).body.data).toEqual([]);
  });
});

describe("a filter that is wrong", () => {
  const nested = (depth: number): object => (depth === 0 ? vip : { not: nested(depth - 1) });
  it.for<[unknown, string, RegExp]>([
    [{}, "/filter", /field/],
    [[vip], "/filter", /./],
    [{ all: [] }, "/filter/all", /at least one/],
    [
      { all: [vip, { any: [{ not: { ...vip, op: "eq" } }] }] },
      "/filter/all/1/any/0/not/op",
      /contains, not_contains, in, exists/,
    ],
    [{ ...vip, field: "age" }, "/filter/field", /attributes\.<name>/],
    [{ ...vip, field: "attributes.a b" }, "/filter/field", /attributes\.<name>/],
    [{ ...vip, field: "constructor" }, "/filter/field", /./],
    [{ ...vip, op: "constructor" }, "/filter/op", /contains/],
    [{ ...vip, op: "in" }, "/filter/value", /list/],
    [{ field: "name", op: "contains", value: "\u0301" }, "/filter/value", /more than accents/],
    [{ ...vip, op: "in", value: ["a", 1] }, "/filter/value/1", /text/],
    [{ ...vip, more: 1 }, "/filter/more", /nothing beside/],
    [{ all: [vip], any: [vip] }, "/filter/any", /nothing beside/],
    [{ field: "tags", op: "exists", value: "yes" }, "/filter/value", /true or false/],
    [{ field: "phone", op: "eq", value: "5551" }, "/filter/value", /country code/],
    [{ field: "marketing_consent", op: "eq", value: "yes" }, "/filter/value", /opted_in/],
    [{ field: "attributes.n", op: "gt", value: true }, "/filter/value", /number or a text/],
    [{ field: "attributes.n", op: "eq", value: null }, "/filter/value", /text, a number/],
    [{ field: "created_at", op: "gt", value: "yesterday" }, "/filter/value", /not a time/],
    [{ field: "created_at", op: "lt", value: "9999-12-31T23:59:59-23:59" }, "/filter/value", /not a time/],
    [{ field: "name", op: "not_contains", value: "\u0301" }, "/filter/value", /more than accents/],
    [{ field: "attributes.n", op: "contains", value: "\u0301" }, "/filter/value", /more than accents/],
    [{ field: "last_inbound_at", op: "within_last", value: "P1M" }, "/filter/value", /weeks, days/],
    [{ field: "last_inbound_at", op: "within_last", value: "P" }, "/filter/value", /weeks, days/],
    [nested(8), `/filter${"/not".repeat(8)}`, /8 levels/],
    [{ any: Array.from({ length: 100 }, () => vip) }, "/filter/any/99", /at most 100/],
  ])("case %# is refused where it is wrong", async ([filter, pointer, detail]) => {
    const reply = await mine.call("POST", "/v1/segments", { body: { name: "x", filter } });
    expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request", errors: [{ pointer }] } });
    expect(reply.body.errors[0].detail).toMatch(detail);
  });
});
