import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../lib/duration.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import { PATIENCE, peopleOf } from "../identity/testing/people.ts";
import { person, startSenders } from "../messages/testing/senders.ts";

const { gateway, mine, theirs, sentTo } = await startSenders({ API_RATE_LIMIT: "off" });
const { hear } = peopleOf(gateway, mine);

const create = async (body: object, of = mine) => {
  const made = await of.call("POST", "/v1/contacts", { body });
  expect(made.status).toBe(201);
  return made;
};
const merge = (id: string, contact_id: string, headers = {}) =>
  mine.call("POST", `/v1/contacts/${id}/merge`, { body: { contact_id }, headers });
const eventsOf = (id: string, kind: string) =>
  mine.rows<{ state: Record<string, unknown> }>("select state from event where contact_id = $1 and kind = $2", [
    parseId("con", id),
    kind,
  ]);

describe("two contacts that are merged", () => {
  it("are one: the survivor's values count, what it lacks is the other's, and both ids return it", async () => {
    const [first, second] = [person(), person()];
    const one = await create({ phone: first, name: "Ana", attributes: { city: "Recife", a: 1 }, tags: ["vip", "x"] });
    const two = await create({
      phone: second,
      name: "A. Souza",
      email: "ana@example.com",
      attributes: { city: "Olinda", b: 2 },
      tags: ["x", "new"],
    });
    const merged = await merge(two.body.id, one.body.id);
    expect(merged).toMatchObject({
      status: 200,
      body: {
        id: two.body.id,
        phone: second,
        name: "A. Souza",
        email: "ana@example.com",
        attributes: { city: "Olinda", a: 1, b: 2 },
        tags: ["new", "vip", "x"],
      },
    });
    for (const id of [one.body.id, two.body.id])
      expect((await mine.call("GET", `/v1/contacts/${id}`)).body).toEqual(merged.body);
    for (const phone of [first, second]) {
      const found = await mine.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`);
      expect(found.body.data).toEqual([merged.body]);
    }
    expect(merged.headers["etag"]).not.toBe(two.headers["etag"]);
    // Once more, and the other way round: they are one already.
    expect((await merge(two.body.id, one.body.id)).body).toEqual(merged.body);
    expect((await merge(one.body.id, two.body.id)).body).toEqual(merged.body);
    const events = await eventsOf(two.body.id, "contact_merged");
    expect(events).toEqual([{ state: { source: "client", merged_contact_id: parseId("con", one.body.id) } }]);
    const audits = await mine.rows("select changes from audit where action = 'contact.merge' order by id");
    expect(audits[0]).toEqual({ changes: { merged_contact_id: one.body.id } });
  });

  it("have opted out if either has", async () => {
    const [one, two] = [
      await create({ phone: person(), marketing_consent: "opted_out" }),
      await create({ phone: person() }),
    ];
    gateway.clock.advance(1_000);
    await mine.call("PATCH", `/v1/contacts/${two.body.id}`, { body: { marketing_consent: "opted_in" } });
    expect((await merge(two.body.id, one.body.id)).body).toMatchObject({ marketing_consent: "opted_out" });
    const [three, four] = [
      await create({ phone: person() }),
      await create({ phone: person(), marketing_consent: "opted_in" }),
    ];
    expect((await merge(three.body.id, four.body.id)).body).toMatchObject({ marketing_consent: "opted_in" });
  });

  it("have one window, one inbox and the order of their messages", async () => {
    const [first, second] = [person(), person()];
    const heard = await mine.inbound(first);
    const scheduled = (await mine.send(second, { send_at: new Date(gateway.clock.now() + HOUR_MS).toISOString() }))
      .body;
    const merged = await merge(scheduled.contact_id, heard.contact_id);
    expect(merged.body.windows).toMatchObject([{ phone_number_id: mine.phoneNumberId, open: true }]);
    const text = { to: second, type: "text", text: { body: "Hello" } };
    const sent = await mine.call("POST", "/v1/messages", { body: text });
    expect(sent).toMatchObject({ status: 202, body: { contact_id: scheduled.contact_id } });
    await mine.becomes(sent.body.id, "accepted");
    gateway.clock.advance(2 * HOUR_MS);
    await mine.becomes(scheduled.id, "accepted");
    expect(sentTo(second)).toHaveLength(2);
    const list = await mine.call("GET", `/v1/conversations/${heard.contact_id}/messages`);
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([sent.body.id, scheduled.id, heard.id]);
  });

  it("are found by the number of either while it happens", async () => {
    for (let pairs = 0; pairs < 20; pairs++) {
      const [gone, phone] = [person(), person()];
      const [one, two] = [await create({ phone: gone }), await create({ phone })];
      const merging = { over: false };
      const merged = merge(two.body.id, one.body.id).finally(() => (merging.over = true));
      const readers = Array.from({ length: 6 }, async () => {
        const found: number[] = [];
        do found.push((await mine.call("GET", `/v1/contacts?phone=${encodeURIComponent(gone)}`)).body.data.length);
        while (!merging.over);
        return found;
      });
      expect(new Set((await Promise.all(readers)).flat())).toEqual(new Set([1]));
      expect((await merged).status).toBe(200);
    }
  });

  it("may be merged before, into others too", async () => {
    const [a, b, c] = [
      await create({ phone: person() }),
      await create({ phone: person() }),
      await create({ phone: person(), name: "C" }),
    ];
    await merge(b.body.id, a.body.id);
    const merged = await merge(c.body.id, a.body.id);
    expect(merged.body).toMatchObject({ id: c.body.id, name: "C" });
    for (const { body } of [a, b])
      expect((await mine.call("GET", `/v1/contacts/${body.id}`)).body).toEqual(merged.body);
  });

  it("at the same moment in both ways are one, with one event", async () => {
    const [one, two] = [await create({ phone: person() }), await create({ phone: person() })];
    const answers = await Promise.all([merge(one.body.id, two.body.id), merge(two.body.id, one.body.id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body.id).toBe(answers[1]?.body.id);
    const events = await Promise.all([one, two].map(({ body }) => eventsOf(body.id, "contact_merged")));
    expect(events.flat()).toHaveLength(1);
  });
});

describe("a merge is refused", () => {
  it("with itself, with what is not known, and into what is not known", async () => {
    const { body } = await create({ phone: person() });
    const foreign = await create({ phone: person() }, theirs);
    expect(await merge(body.id, body.id)).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ pointer: "/contact_id" }] },
    });
    for (const id of [foreign.body.id, "con_01jd0000000000000000000000", "msg_01jd0000000000000000000000"])
      expect(await merge(body.id, id)).toMatchObject({
        status: 422,
        body: { code: "reference_not_found", errors: [{ pointer: "/contact_id" }] },
      });
    expect((await merge(foreign.body.id, body.id)).status).toBe(404);
    expect((await theirs.call("GET", `/v1/contacts/${foreign.body.id}`)).body).toMatchObject(foreign.body);
  });

  it("for another version than the contact has", async () => {
    const [one, two] = [await create({ phone: person() }), await create({ phone: person() })];
    await mine.call("PATCH", `/v1/contacts/${one.body.id}`, { body: { name: "Newer" } });
    const reply = await merge(one.body.id, two.body.id, { "If-Match": one.headers["etag"] ?? "" });
    expect(reply).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
    expect((await mine.call("GET", `/v1/contacts/${two.body.id}`)).body).toEqual(two.body);
  });

  it("where the provider knows two people", async () => {
    const [one, two] = [await hear("15552009001", "US.101"), await hear("15552009002", "US.102")];
    const [first, second] = [formatId("con", one), formatId("con", two)];
    expect(await merge(first, second)).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await mine.call("GET", `/v1/contacts/${second}`)).body.id).toBe(second);
    // Of one whose user id is not known nothing speaks against it.
    const third = await create({ phone: person(), name: "Third" });
    await expect.poll(async () => (await merge(first, third.body.id)).status, PATIENCE).toBe(200);
    expect((await mine.call("GET", `/v1/contacts/${third.body.id}`)).body).toMatchObject({
      id: first,
      user_id: "US.101",
    });
  });
});
