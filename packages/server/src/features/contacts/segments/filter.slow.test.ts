import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callWithin } from "../../../db/call-within.ts";
import { DAY_MS } from "../../../lib/duration.ts";
import { formatId } from "../../../lib/ids.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import type { Contact } from "../schema.ts";
import { searchOf } from "../search/condition.ts";
import { findContacts } from "../search/find.store.ts";
import { parseFilter } from "./filter.ts";
import type { SegmentFilter } from "./schema.ts";
import { fits } from "./testing/plain-filter.ts";

// Random filters have the contacts that the same filter has in plain code: by the API, which walks, and by the index.

const WORDS = ["ana", "Ana", "José", "jose", "50%", "a_b", 'say "hi"', "back\\slash", "Łódź 东京", "x"];
const TAGS = ["vip", "new", "50%", "ü"];
const ATTRIBUTES = ["city", "n", "a.b"];
const PEOPLE = 60;
const TREES = 120;

let gateway: Gateway;
let mine: Sender;
let contacts: Contact[];

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
  const theirs = await gateway.sender();
  const people = fc
    .sample(person, { numRuns: PEOPLE, seed: 1 })
    .map((body, n) => ({ phone: `+1555700${1000 + n}`, ...body }));
  for (const of of [mine, theirs]) {
    const reply = await of.call("POST", "/v1/contacts/batch", { body: { contacts: people } });
    expect(reply.body.data.filter(({ error }: { error?: object }) => error)).toEqual([]);
  }
  for (let n = 0; n < PEOPLE; n += 10) {
    await mine.inbound(`1555700${1000 + n}`);
    gateway.clock.advance(DAY_MS);
  }
  contacts = (await mine.call("GET", "/v1/contacts?limit=100")).body.data;
  expect(contacts).toHaveLength(PEOPLE);
});
afterAll(() => gateway.stop());

const word = fc.constantFrom(...WORDS);
const scalar = fc.oneof(word, fc.constantFrom(-1, 0, 1.5, 10), fc.boolean());
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const person = fc
  .record({
    name: maybe(word),
    email: maybe(fc.constantFrom("ana@example.com", "JOSÉ@example.com")),
    locale: maybe(fc.constantFrom("pt_BR", "en")),
    tags: fc.uniqueArray(fc.constantFrom(...TAGS)),
    attributes: fc.dictionary(fc.constantFrom(...ATTRIBUTES), scalar),
    marketing_consent: maybe(fc.constantFrom("opted_in", "opted_out")),
  })
  .map((body) => JSON.parse(JSON.stringify(body)) as object);

const listOf = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 3 });
const one = (field: fc.Arbitrary<string>, op: string[], value: fc.Arbitrary<unknown>) =>
  fc.record({ field, op: fc.constantFrom(...op), value });
/** A part of a text: some have no three characters in a row for the index. */
const part = word.chain((text) =>
  fc
    .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: 5 }))
    .map(([from, length]) => text.slice(from, from + length)),
);
const attribute = fc.constantFrom(...ATTRIBUTES.map((name) => `attributes.${name}`));
const text = fc.constantFrom("name", "email", "locale");
const condition: fc.Arbitrary<SegmentFilter> = fc
  .oneof(
    one(fc.constant("tags"), ["contains", "not_contains"], fc.constantFrom(...TAGS)),
    one(fc.constant("tags"), ["in"], listOf(fc.constantFrom(...TAGS))),
    one(fc.constantFrom("tags", "name", "email", "phone", "attributes.n", "last_inbound_at"), ["exists"], fc.boolean()),
    one(text, ["eq", "ne"], fc.oneof(word, fc.constant("pt_BR"))),
    one(text, ["in"], listOf(word)),
    one(fc.oneof(text, attribute), ["contains", "not_contains"], part),
    one(attribute, ["eq", "ne"], scalar),
    one(attribute, ["in"], listOf(scalar)),
    one(attribute, ["gt", "gte", "lt", "lte"], fc.oneof(word, fc.constantFrom(-1, 0, 1.5, 3))),
    one(fc.constant("marketing_consent"), ["eq", "ne"], fc.constantFrom("unknown", "opted_in", "opted_out")),
    one(fc.constant("phone"), ["eq", "ne"], fc.constantFrom("+15557001000", "+15557001033")),
    one(fc.constant("phone"), ["contains"], fc.constantFrom("00103", "+1555")),
    one(fc.constantFrom("last_inbound_at", "created_at"), ["within_last"], fc.constantFrom("P1D", "P3D", "P30D")),
    one(
      fc.constant("last_inbound_at"),
      ["gt", "gte", "lt", "lte"],
      fc.nat(PEOPLE / 10 - 1).map((n) => () => sometime(n)),
    ),
  )
  .map((made) => ({ ...made, value: typeof made.value === "function" ? made.value() : made.value }));
const sometime = (n: number): string => contacts.flatMap(({ last_inbound_at: at }) => at ?? []).toSorted()[n] ?? "";

const tree: fc.Arbitrary<SegmentFilter> = fc.letrec<{ node: SegmentFilter }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    condition,
    fc.record({ all: listOf(tie("node")) }),
    fc.record({ any: listOf(tie("node")) }),
    fc.record({ not: tie("node") }),
  ),
})).node;

it("has the contacts that the filter has in plain code, and its complement has the others", async () => {
  let [empty, indexed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(tree, async (filter) => {
      const now = gateway.clock.now();
      const expected = contacts.filter((contact) => fits(filter, contact, now)).map(({ id }) => id);
      const others = contacts.map(({ id }) => id).filter((id) => !expected.includes(id));
      const made = await mine.call("POST", "/v1/segments", { body: { name: "random", filter } });
      expect({ status: made.status, count: made.body.count }).toEqual({ status: 201, count: expected.length });
      const path = `/v1/segments/${made.body.id}`;
      expect(idsOf(await mine.call("GET", `${path}/contacts?limit=100`))).toEqual(expected);
      await mine.call("PATCH", path, { body: { filter: { not: filter } } });
      expect(idsOf(await mine.call("GET", `/v1/contacts?segment_id=${made.body.id}&limit=100`))).toEqual(others);
      await mine.call("DELETE", path);
      const search = searchOf(parseFilter(filter, now));
      expect(search.narrow ? await byIndex(search) : expected).toEqual(expected);
      empty += expected.length === 0 ? 1 : 0;
      indexed += search.narrow ? 1 : 0;
    }),
    { numRuns: TREES, seed: 7 },
  );
  expect(empty).toBeLessThan(TREES / 2);
  expect(indexed).toBeGreaterThan(TREES / 10);
}, 120_000);

const idsOf = (reply: { body: { data: { id: string }[] } }): string[] => reply.body.data.map(({ id }) => id);

async function byIndex(search: ReturnType<typeof searchOf>): Promise<string[]> {
  const row = {
    workspace_id: mine.uuid,
    before: null,
    lowest: null,
    contact_id: null,
    way: "index" as const,
    most: 100,
    walk_first: 0,
    most_candidates: 1_000,
    budget_ms: 10_000,
  };
  const [answer] = await gateway.app.db.read(mine.uuid, (sql) =>
    callWithin(sql, findContacts, [{ ...row, ...search }], gateway.clock.now()),
  );
  expect(answer).toMatchObject({ way: "index", more: false });
  return answer?.ids.map((id) => formatId("con", id)) ?? [];
}
