import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callWithin } from "../../../db/call-within.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import type { Step } from "./condition.ts";
import { findContacts } from "./find.store.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  for (const of of [mine, theirs]) {
    const contacts = [
      {
        phone: "+15551230001",
        name: "Ana Conceição",
        tags: ["vip"],
        attributes: { city: "São Paulo", quote: 'a "b" \\c' },
      },
      { phone: "+5511987654321", name: "BEN", email: "ben@Example.com", marketing_consent: "opted_in" },
      { phone: "+15551230003", name: "100% Cem_1", tags: ["vip", "x"], attributes: { member: true, orders: 12345 } },
    ];
    for (const body of contacts) {
      expect((await of.call("POST", "/v1/contacts", { body })).status).toBe(201);
      gateway.clock.advance(1_000);
    }
  }
});
afterAll(() => gateway.stop());

const list = async (query: string, of = mine) => await of.call("GET", `/v1/contacts${query}`);
const names = async (query: string, of = mine): Promise<(string | null)[]> => {
  const reply = await list(query, of);
  expect({ query, status: reply.status }).toEqual({ query, status: 200 });
  return reply.body.data.map(({ name }: { name: string | null }) => name);
};
const ANA = "Ana Conceição";
const CEM = "100% Cem_1";

describe("a list of contacts", () => {
  it.for<[string, string[]]>([
    ["q=conceicao", [ANA]],
    ["q=CONCEIÇÃO", [ANA]],
    ["q=sao paulo", [ANA]],
    ["q=city", []],
    ['q="b" \\c', [ANA]],
    ["q=EXAMPLE.com", ["BEN"]],
    ["q=100%25", [CEM]],
    ["q=10%25 C", []],
    ["q=Cem_1", [CEM]],
    ["q=CemX1", []],
    ["q=  cem  ", [CEM]],
    ["q=12345", [CEM]],
    ["q=%2B1 (555) 123-0003", [CEM]],
    ["q=5551230", [CEM, ANA]],
    ["q=%2B55 11 8765-4321", ["BEN"]],
    ["q=551187654321", ["BEN"]],
    ["q=@@@", []],
    ["q=ana,", []],
    ["tag=vip", [CEM, ANA]],
    ["tag=vip&q=ana", [ANA]],
    ["tag=vip&phone=%2B15551230003", [CEM]],
    ["tag=x&phone=%2B15551230001", []],
    ["marketing_consent=opted_in", ["BEN"]],
    ["marketing_consent=unknown&tag=vip", [CEM, ANA]],
    ["phone=%2B15550000000", []],
    ["segment_id=seg_01jd0000000000000000000000", []],
    ["segment_id=con_01jd0000000000000000000000", []],
  ])("has by %s whom it should", async ([query, expected]) => {
    expect(await names(`?${query}`)).toEqual(expected);
    expect(await names(`?${query}`, theirs)).toEqual(expected);
    // In the order of changes a contact appears when all earlier transactions of the server have ended.
    const changed = async () => (await names(`?${query}&sort=updated_at`)).toSorted();
    await expect.poll(changed).toEqual(expected.toSorted());
  });

  it("is bounded by times, and goes on from page to page", async () => {
    const { data } = (await list("")).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual([CEM, "BEN", ANA]);
    expect(await names(`?created_after=${data[2].created_at}`)).toEqual([CEM, "BEN"]);
    expect(await names(`?updated_after=${data[1].updated_at}`)).toEqual([CEM]);
    const first = (await list("?tag=vip&limit=1")).body;
    expect([first.data.length, first.has_more]).toEqual([1, true]);
    const second = (await list(`?tag=vip&limit=1&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ data: [{ name: ANA }], next_cursor: null, has_more: false });
    for (const query of ["?tag=x&limit=1", "?limit=1", "?tag=vip&limit=1&sort=updated_at"])
      expect((await list(`${query}&cursor=${first.next_cursor}`)).status).toBe(400);
  });

  it.for<[string, string]>([
    ["q=ab", "?q"],
    ["q=%20a%20%20", "?q"],
    ["q=\u0301\u0302\u0303", "?q"], // accents are folded away, and everybody has nothing
    ["created_after=yesterday", "?created_after"],
    ["updated_after=2026-13-01T00:00:00Z", "?updated_after"],
    ["updated_after=9999-12-31T23:59:59-23:59", "?updated_after"],
    ["sort=name", "?sort"],
    ["marketing_consent=yes", "?marketing_consent"],
    [`q=${"a".repeat(201)}`, "?q"],
  ])("refuses %s", async ([query, pointer]) => {
    expect(await list(`?${query}`)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  it("has no text of a request in its statements", async () => {
    const hostile = "x' or true) -- $1 %s %1$s \\";
    const filter = {
      any: [
        { field: "tags", op: "contains", value: hostile },
        { field: `attributes.a-b`, op: "gt", value: hostile },
        { field: "name", op: "contains", value: hostile },
      ],
    };
    const made = await mine.call("POST", "/v1/segments", { body: { name: hostile, filter } });
    expect(made).toMatchObject({ status: 201, body: { count: 0 } });
    expect(await names(`?q=${encodeURIComponent(hostile)}`)).toEqual([]);
    const row = {
      workspace_id: mine.uuid,
      values: ["vip"],
      narrow: null,
      sample: null,
      before: null,
      lowest: null,
      contact_id: null,
      way: null,
      most: 10,
      walk_first: 10,
      most_candidates: 10,
      budget_ms: 1_000,
    };
    const ask = (...filter: object[]) =>
      gateway.app.db.read(mine.uuid, (sql) =>
        callWithin(sql, findContacts, [{ ...row, filter: filter as Step[] }], gateway.clock.now()),
      );
    expect((await ask({ do: "tag", at: 0 }))[0]?.ids).toHaveLength(2);
    for (const steps of [
      [{ do: "true) or (true", at: 0 }],
      [{ do: "tag", at: "0) or (true" }],
      [{ do: "all", of: 1 }],
      [{ do: "not", of: 0 }],
      [
        { do: "tag", at: 0 },
        { do: "tag", at: 0 },
      ],
      [{ do: "or true" }],
      [{}],
    ])
      await expect(ask(...steps)).rejects.toThrow(/step|operands|invalid input syntax|conditions/);
  });
});
