import { describe, expect, it } from "vitest";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { ORDER_READY, type Workspace } from "../../../testing/gateway.ts";
import { findContactId, findContactIds } from "../../identity/find-contact.ts";
import { keyed, person, startSenders } from "../testing/senders.ts";

const { gateway, countOf, mine, theirs } = await startSenders({ METRICS_PORT: "0" });

const template = <More extends object>(to: string, more?: More) => ({
  to,
  type: "template",
  template: ORDER_READY,
  ...(more as More),
});
const text = (to: string, body: string, more: object = {}) => ({ to, type: "text", text: { body }, ...more });
const batch = (messages: unknown[], headers: Record<string, string> = {}, of: Workspace = mine) =>
  of.call("POST", "/v1/messages/batch", { body: { messages }, headers });
type Entry = { index: number; message?: { id: string; to: string }; error?: { code: string; errors?: object[] } };
const codes = (data: Entry[]) => data.map(({ message, error }) => (message ? "accepted" : error?.code));

describe("a batch", () => {
  it("answers each message in the order of the request, accepted or refused by itself", async () => {
    const [known, stranger, third] = [person(), person(), person()];
    await mine.inbound(known);
    const { status, body } = await batch([
      template(stranger, { reference: "first" }),
      text(third, "Hello"),
      text(known, "Hello"),
      { ...template(stranger), template: { name: "no_such", language: { code: "en_US" } } },
      template("+1"),
      { to: stranger, type: "text", text: {} },
      { to: stranger, type: "smoke_signal" },
      template(stranger, { unknown: 1 }),
      "no object",
      template(person(), { idempotency_key: "has space" }),
    ]);
    expect(status).toBe(202);
    expect(body.data.map(({ index }: Entry) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(codes(body.data)).toEqual([
      "accepted",
      "window_closed",
      "accepted",
      "template_not_found",
      "invalid_phone_number",
      "invalid_request",
      "invalid_request",
      "invalid_request",
      "invalid_request",
      "invalid_request",
    ]);
    expect(body.data.slice(3).map(({ error }: Entry) => error?.errors?.[0])).toMatchObject([
      { pointer: "/template" },
      { pointer: "/to" },
      { pointer: "/text/body", code: "required" },
      { pointer: "/type" },
      { pointer: "/unknown", code: "unknown_field" },
      { pointer: "" },
      { pointer: "/idempotency_key" },
    ]);
    expect(body.data[0].message).toMatchObject({ to: stranger, reference: "first", status: "queued" });
    expect(body.data[1].error).toMatchObject({ status: 422, retryable: false, request_id: expect.any(String) });
    await mine.becomes(body.data[0].message.id, "accepted");
    await mine.becomes(body.data[2].message.id, "accepted");
    expect(await mine.rows("select 1 from contact where phone = $1", [third])).toEqual([]);
    expect(await countOf(stranger)).toBe(1);
    const audit = await mine.rows(
      "select 1 from audit where path = '/v1/messages/batch' and action = 'message.create'",
    );
    expect(audit).toHaveLength(2);
  });

  it.each([
    [{}, "/messages"],
    [{ messages: [] }, "/messages"],
    [{ messages: Array.from({ length: 1_001 }, () => template("+15552000000")) }, "/messages"],
    [{ messages: "none" }, "/messages"],
    [{ messages: [template("+15552000000")], more: 1 }, "/more"],
  ])("that is no list of messages is 400 as a whole", async (body, pointer) => {
    const reply = await mine.call("POST", "/v1/messages/batch", { body });
    expect([reply.status, reply.body.code, reply.body.errors[0].pointer]).toEqual([400, "invalid_request", pointer]);
  });

  it("may have more bytes than another request", async () => {
    const long = "x".repeat(4_000);
    const to = person();
    const reply = await batch(Array.from({ length: 900 }, () => text(to, long)));
    expect([reply.status, new Set(codes(reply.body.data))]).toEqual([202, new Set(["window_closed"])]);
    expect((await batch(Array.from({ length: 1_000 }, () => text(to, long.repeat(2))))).body.code).toBe(
      "payload_too_large",
    );
  });

  it("keeps the order of one person's messages, whatever names are used for them", async () => {
    // The first form is looked up, because people and the provider may read it differently; that takes longer than the second.
    const [looked, plain] = ["+5215512345678", "+525512345678"];
    const first = await mine.send(plain);
    const names = [looked, plain, first.body.contact_id];
    const rows = Array.from({ length: 30 }, (_, index) => template(names[index % 3]!, { reference: `nr-${index}` }));
    const others = Array.from({ length: 250 }, () => template(person()));
    const { body } = await batch([...rows.slice(0, 10), ...others, ...rows.slice(10)]);
    expect(new Set(codes(body.data))).toEqual(new Set(["accepted"]));
    const stored = await mine.rows<{ reference: string; contact_id: string }>(
      "select reference, contact_id from message where reference like 'nr-%' order by sequence",
    );
    expect(stored.map(({ reference }) => reference)).toEqual(rows.map(({ reference }) => reference));
    expect(new Set(stored.map(({ contact_id }) => contact_id)).size).toBe(1);
  });

  it("looks up once whom messages are for that are named in several ways, as each by itself", async () => {
    const known = person();
    const { contact_id } = await mine.inbound(known);
    const [old] = await mine.rows<{ user_id: string }>("select user_id from contact where phone = $1", [known]);
    const mexican = await mine.send("+525587654321");
    const names = [
      known,
      contact_id,
      old?.user_id ?? "",
      "+5215587654321",
      person(),
      formatId("con", newUuid(1)),
      "no name",
    ];
    expect(old?.user_id).toMatch(/^US\./);
    await gateway.app.db.read(mine.uuid, async (sql) => {
      const asked: string[] = [];
      const query: typeof sql.query = (text, values) => {
        asked.push(text);
        return sql.query(text, values);
      };
      const found = await findContactIds({ ...sql, query }, mine.uuid, names);
      expect(asked).toHaveLength(1);
      const ids = found.map((id) => id && formatId("con", id));
      expect(ids).toEqual([contact_id, contact_id, contact_id, mexican.body.contact_id, null, null, null]);
      for (const [index, name] of names.entries()) expect(await findContactId(sql, mine.uuid, name)).toBe(found[index]);
    });
  });

  it("of another workspace knows nothing of this one's keys and messages", async () => {
    const to = person();
    const rows = [template(to, { idempotency_key: "shared" })];
    const [first, second] = [await batch(rows, keyed("both")), await batch(rows, keyed("both"), theirs)];
    expect(codes(second.body.data)).toEqual(["accepted"]);
    expect(second.body.data[0].message.id).not.toBe(first.body.data[0].message.id);
    expect(second.headers["idempotent-replayed"]).toBeUndefined();
    const foreign = await batch([template(to, { reply_to: first.body.data[0].message.id })], {}, theirs);
    expect(codes(foreign.body.data)).toEqual(["reference_not_found"]);
  });

  it("that accepts nothing leaves its row in the audit log all the same", async () => {
    const requestId = "all-refused";
    await batch([text(person(), "Hello")], { "x-request-id": requestId });
    await gateway.audited();
    const rows = await mine.rows("select action, status from audit where request_id = $1", [requestId]);
    expect(rows).toEqual([{ action: "message.create", status: 202 }]);
  });
});

describe("a batch with a key", () => {
  it("is answered again as it was, and what was refused is tried again", async () => {
    const [to, closed] = [person(), person()];
    const rows = [template(to), text(closed, "Hello"), template(to)];
    const first = await batch(rows, keyed("again"));
    expect(codes(first.body.data)).toEqual(["accepted", "window_closed", "accepted"]);
    const second = await batch(rows, keyed("again"));
    expect([second.status, second.headers["idempotent-replayed"]]).toEqual([202, "true"]);
    expect(second.body.data[0]).toEqual(first.body.data[0]);
    expect(second.body.data[2]).toEqual(first.body.data[2]);
    await mine.inbound(closed);
    const third = await batch(rows, keyed("again"));
    expect(codes(third.body.data)).toEqual(["accepted", "accepted", "accepted"]);
    expect(third.headers["idempotent-replayed"]).toBeUndefined();
    const fourth = await batch(rows, keyed("again"));
    expect(fourth.text).toBe(third.text);
    expect([await countOf(to), await countOf(closed)]).toEqual([2, 1]);
  });

  it("of a thousand reads what it answered before in a few calls", async () => {
    const figure = async (name: string): Promise<number> => {
      const text = await (await fetch(new URL("/metrics", gateway.metricsUrl ?? ""))).text();
      const series = `waypost_database_batch_rows_${name}{function="read_accepted"} `;
      return Number(
        text
          .split("\n")
          .find((line) => line.startsWith(series))
          ?.slice(series.length) ?? 0,
      );
    };
    const rows = Array.from({ length: 1_000 }, () => template(person()));
    const first = await batch(rows, keyed("thousand"));
    const before = [await figure("count"), await figure("sum")] as const;
    const again = await batch(rows, keyed("thousand"));
    expect([again.text === first.text, again.headers["idempotent-replayed"]]).toEqual([true, "true"]);
    expect((await figure("sum")) - before[1]).toBe(1_000);
    expect((await figure("count")) - before[0]).toBeLessThanOrEqual(20);
  });

  it("refuses another request with its key, and the key of another request", async () => {
    const to = person();
    await batch([template(to)], keyed("taken"));
    const other = await batch([template(to), template(to)], keyed("taken"));
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
    expect((await mine.send(to, {}, keyed("taken"))).body.code).toBe("idempotency_key_reused");
    await mine.send(to, {}, keyed("single"));
    expect((await batch([template(to)], keyed("single"))).body.code).toBe("idempotency_key_reused");
    expect(await countOf(to)).toBe(2);
  });

  it("leaves the key of a batch free of which nothing was accepted", async () => {
    const to = person();
    expect(codes((await batch([text(to, "Hello")], keyed("nothing"))).body.data)).toEqual(["window_closed"]);
    expect(codes((await batch([template(to)], keyed("nothing"))).body.data)).toEqual(["accepted"]);
  });

  it("takes a message's own key as that of a request with this message alone", async () => {
    const to = person();
    const single = await mine.send(to, {}, keyed("own"));
    const row = template(to, { idempotency_key: "own" });
    const { body } = await batch([row, template(to), row], keyed("with-own"));
    expect(body.data[0].message).toEqual(single.body);
    expect(body.data[2].message).toEqual(single.body);
    expect(await countOf(to)).toBe(2);
    const changed = template(to, { idempotency_key: "own", reference: "other" });
    expect(codes((await batch([changed])).body.data)).toEqual(["idempotency_key_reused"]);
  });

  it("may be the key of its messages too, and is answered again all the same", async () => {
    const to = person();
    const row = template(to, { idempotency_key: "both-levels" });
    const rows = [row, template(to), row];
    const first = await batch(rows, keyed("both-levels"));
    expect(codes(first.body.data)).toEqual(["accepted", "accepted", "accepted"]);
    expect(first.body.data[2].message).toEqual(first.body.data[0].message);
    const again = await batch(rows, keyed("both-levels"));
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([202, first.text, "true"]);
    expect(await countOf(to)).toBe(2);
    const other = await batch([row], keyed("both-levels"));
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
  });

  it("sent twice at once is accepted once", async () => {
    const people = Array.from({ length: 50 }, person);
    const rows = people.map((to) => template(to));
    const [one, two] = await Promise.all([batch(rows, keyed("twins")), batch(rows, keyed("twins"))]);
    expect(one.body).toEqual(two.body);
    expect(await Promise.all(people.map(countOf))).toEqual(people.map(() => 1));
  });

  it("expires with its keys, naming what it created", async () => {
    const to = person();
    await batch([template(to)], keyed("old"));
    gateway.clock.advance(8 * 86_400_000);
    const late = await batch([template(to)], keyed("old"));
    expect([late.status, late.body.code]).toEqual([409, "idempotency_key_expired"]);
    expect(await countOf(to)).toBe(1);
  });
});

describe("while the database is away", () => {
  it("a batch is 503 as a whole, and safe to repeat with its key", async () => {
    const to = person();
    gateway.databaseProxy.cut();
    const reply = await batch([template(to), template(to)], keyed("away"));
    gateway.databaseProxy.mend();
    expect([reply.status, reply.body.code]).toEqual([503, "unavailable"]);
    await expect
      .poll(async () => codes((await batch([template(to), template(to)], keyed("away"))).body.data ?? []))
      .toEqual(["accepted", "accepted"]);
    expect(await countOf(to)).toBe(2);
  });
});
