import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../lib/duration.ts";
import { callAs } from "../../../testing/call.ts";
import { ORDER_READY } from "../../../testing/gateway.ts";
import { keyed, person, startSenders } from "../testing/senders.ts";

const { gateway, countOf, mine, sentTo } = await startSenders();

const text = (to: string, headers = {}) =>
  mine.call("POST", "/v1/messages", { body: { to, type: "text", text: { body: "Hi" } }, headers });

describe("a message's key", () => {
  it("returns the first 202 byte for byte after the window closed", async () => {
    const to = person();
    await mine.inbound(to);
    const first = await text(to, keyed("window"));
    expect([first.status, first.headers["idempotent-replayed"]]).toEqual([202, undefined]);
    await mine.becomes(first.body.id, "accepted");
    gateway.clock.advance(DAY_MS + 1);
    expect((await text(to)).body.code).toBe("window_closed");
    const again = await text(to, keyed("window"));
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers).toMatchObject({
      "idempotent-replayed": "true",
      location: first.headers["location"],
      "content-type": first.headers["content-type"],
    });
    expect([sentTo(to).length, await countOf(to)]).toEqual([1, 1]);
  });

  it("returns the first 202 byte for byte after the template was paused", async () => {
    const two = await gateway.sender();
    const to = person();
    // Content with an order, escapes and spaces of its own: the value and order of the body are stored, not its text.
    const body =
      '{ "type":"template", "template":{"language":{"code":"en_US"},"name":"order_ready"},"to":"' +
      to +
      '","reference":"\\u00e9 1" }';
    const post = (key: string) => two.call("POST", "/v1/messages", { body, headers: keyed(key) });
    const first = await post("paused");
    expect(first.status).toBe(202);
    gateway.simulator.decideTemplate(two.account.templates["order_ready"] ?? "", { status: "PAUSED" });
    const status = async () => (await two.call("GET", "/v1/templates?name=order_ready")).body.data[0].status;
    await expect.poll(status).toBe("paused");
    gateway.clock.advance(5_000);
    const fresh = await post("after");
    expect([fresh.status, fresh.body.code]).toEqual([422, "template_not_approved"]);
    const again = await post("paused");
    expect([again.status, again.headers["idempotent-replayed"], again.text]).toEqual([202, "true", first.text]);
  });

  it("returns it after the account was disconnected", async () => {
    const gone = await gateway.sender();
    const to = person();
    const first = await gone.send(to, {}, keyed("gone"));
    const { body } = await gone.call("GET", "/v1/business-accounts");
    await gone.call("DELETE", `/v1/business-accounts/${body.data[0].id}`);
    expect((await gone.send(to, {}, keyed("other"))).body.code).toBe("sender_unavailable");
    const again = await gone.send(to, {}, keyed("gone"));
    expect([again.status, again.text]).toEqual([202, first.text]);
  });

  it("is the same for the same value, however its JSON is written", async () => {
    const to = person();
    const first = await mine.send(to, {}, keyed("canonical"));
    const other = `{"template":{"language":{"code":"en_US"},\n"name":"order\\u005fready"},"type":"template","to":"${to}"}`;
    const again = await mine.call("POST", "/v1/messages", { body: other, headers: keyed("canonical") });
    expect([again.status, again.text]).toEqual([202, first.text]);
  });

  it("with another body is 422 and names the first message", async () => {
    const first = await mine.send(person(), {}, keyed("reused"));
    for (const to of [person(), "+15551"]) {
      const other = await mine.send(to, {}, keyed("reused"));
      expect(other.body).toMatchObject({ status: 422, code: "idempotency_key_reused", resource_id: first.body.id });
      expect(await countOf(to)).toBe(0);
    }
  });

  it("may be sent in either header; different keys in both are 400", async () => {
    const to = person();
    const first = await mine.send(to, {}, { "idempotency-key": '"alias"' });
    expect((await mine.send(to, {}, keyed("alias"))).text).toBe(first.text);
    expect((await mine.send(to, {}, { ...keyed("alias"), "idempotency-key": "alias" })).text).toBe(first.text);
    const both = await mine.send(to, {}, { ...keyed("one"), "idempotency-key": "two" });
    expect([both.status, both.body.code]).toEqual([400, "invalid_request"]);
    for (const key of ["x".repeat(256), "a b", "é".normalize("NFC")]) {
      const odd = await mine.send(to, {}, keyed(key));
      expect([key, odd.status]).toEqual([key, 400]);
    }
    expect(await countOf(to)).toBe(1);
  });

  it("belongs to its workspace: the same key in another one sends too", async () => {
    const two = await gateway.sender();
    const to = person();
    const [a, b] = [await mine.send(to, {}, keyed("shared")), await two.send(to, {}, keyed("shared"))];
    expect([a.status, b.status, a.body.id === b.body.id]).toEqual([202, 202, false]);
  });

  it("replays for a rotated API key of the workspace", async () => {
    const two = await gateway.sender();
    const to = person();
    const first = await two.send(to, {}, keyed("rotated"));
    const rotated = await two.call("POST", `/v1/api-keys/${two.keyId}/rotate`, { body: { overlap_seconds: 0 } });
    const call = callAs(gateway.url, rotated.body.key);
    const body = { to, type: "template", template: ORDER_READY };
    const again = await call("POST", "/v1/messages", { body, headers: keyed("rotated") });
    expect([again.status, again.headers["idempotent-replayed"], again.text]).toEqual([202, "true", first.text]);
  });

  it("50 times at once is one message, one provider call and 50 identical answers", async () => {
    const to = person();
    const replies = await Promise.all(Array.from({ length: 50 }, () => mine.send(to, {}, keyed("crowd"))));
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(202);
    expect(replies.filter((reply) => reply.headers["idempotent-replayed"] === undefined)).toHaveLength(1);
    await mine.becomes(replies[0]?.body.id, "accepted");
    expect([sentTo(to).length, await countOf(to)]).toEqual([1, 1]);
    const audit = "select 1 from audit where resource_id = $1 and action = 'message.create'";
    await gateway.audited(); // replays do nothing, and their audit rows are written later
    expect(await mine.rows(`${audit} and status = 202`, [replies[0]?.body.id])).toHaveLength(50);
  });

  it("at once with two bodies sends one and refuses the other", async () => {
    const [to, other] = [person(), person()];
    const replies = await Promise.all([to, other].map((one) => mine.send(one, {}, keyed("two-bodies"))));
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([202, 422]);
    expect((await countOf(to)) + (await countOf(other))).toBe(1);
  });
});

describe("Prefer: wait", () => {
  const prefer = { prefer: "wait=20" };

  it("answers when the provider accepted, still 202, with the live message", async () => {
    const reply = await mine.send(person(), {}, prefer);
    expect([reply.status, reply.headers["preference-applied"]]).toEqual([202, "wait=20"]);
    expect(reply.body).toMatchObject({ status: "accepted", provider_message_id: expect.stringMatching(/^wamid\./) });
  });

  it("answers a refusal as a failed message", async () => {
    const reply = await mine.send("+12025550116", {}, prefer);
    expect([reply.status, reply.body.status, reply.body.error.code]).toEqual([202, "failed", "provider_rejected"]);
    expect(reply.body.error.provider).toMatchObject({ code: 131009 });
  });

  it("with a key answers a replay with the live message", async () => {
    const to = person();
    const first = await mine.send(to, {}, keyed("wait"));
    expect(first.body.status).toBe("queued");
    const again = await mine.send(to, {}, { ...keyed("wait"), ...prefer });
    expect(again.body).toMatchObject({ id: first.body.id, status: "accepted" });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect((await mine.send(to, {}, keyed("wait"))).text).toBe(first.text);
    expect(sentTo(to)).toHaveLength(1);
  });

  it("that cannot be parsed is ignored", async () => {
    const reply = await mine.send(person(), {}, { prefer: "wait=soon" });
    expect([reply.status, reply.headers["preference-applied"], reply.body.status]).toEqual([202, undefined, "queued"]);
  });
});

// Last: these move the clock by a month.
describe("an old key", () => {
  it("names its message and sends nothing after 7 days; after 30 it is new", async () => {
    const two = await gateway.sender();
    const to = person();
    const first = await two.send(to, {}, keyed("old"));
    await two.becomes(first.body.id, "accepted");
    gateway.clock.advance(7 * DAY_MS - 60_000);
    expect((await two.send(to, {}, keyed("old"))).text).toBe(first.text);
    gateway.clock.advance(60_000);
    const expired = await two.send(to, {}, keyed("old"));
    expect(expired.body).toMatchObject({ status: 409, code: "idempotency_key_expired", resource_id: first.body.id });
    gateway.clock.advance(23 * DAY_MS + 1);
    await gateway.partitionsAhead();
    const later = await two.send(to, {}, keyed("old"));
    expect([later.status, later.headers["idempotent-replayed"]]).toEqual([202, undefined]);
    expect(later.body.id).not.toBe(first.body.id);
    await two.becomes(later.body.id, "accepted");
    expect((await two.send(to, {}, keyed("old"))).text).toBe(later.text);
    expect(sentTo(to)).toHaveLength(2);
  });
});
