import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { person } from "./requests.ts";

// Nothing is lost and nothing done twice, and the answer says which requests to send again.
let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

describe("the database stopped", () => {
  it("before a request is 503 with Retry-After; the same request is taken when it is back", async () => {
    const to = person();
    expect((await mine.send(to)).status).toBe(202); // the key is remembered
    gateway.databaseProxy.cut();
    await expect.poll(async () => (await mine.call("GET", "/v1/messages")).status).toBe(503);
    for (const headers of [{}, { "x-idempotency-key": "away" }]) {
      const reply = await mine.send(to, {}, headers);
      expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([503, "unavailable", true]);
      expect(reply.headers["retry-after"]).toBe("1");
    }
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    gateway.databaseProxy.mend();
    const back = async () => (await mine.send(to, {}, { "x-idempotency-key": "away" })).status;
    await expect.poll(back).toBe(202);
    const left = await mine.rows("select 1 from message where recipient = $1", [to]);
    expect(left).toHaveLength(2);
  });

  it("in mid-request: 202 is there, 503 may be sent again with its key, none twice, none lost", async () => {
    const people = Array.from({ length: 200 }, () => person());
    const post = (to: string) => mine.send(to, {}, { "x-idempotency-key": `mid-${to}` });
    const replies = people.map((to) => post(to));
    await Promise.any(replies); // some are committed, some under way, some have not begun
    gateway.databaseProxy.cut();
    const answers = await Promise.all(replies);
    expect(answers.filter(({ status }) => status !== 202 && status !== 503)).toEqual([]);
    gateway.databaseProxy.mend();
    await expect.poll(async () => (await mine.call("GET", "/v1/workspace")).status).toBe(200);
    const again = await Promise.all(people.map((to) => post(to)));
    expect(again.map((reply) => reply.status)).toEqual(people.map(() => 202));
    const before = answers.map((reply, index) => (reply.status === 202 ? reply : again[index]));
    expect(again.map((reply) => reply.text)).toEqual(before.map((reply) => reply?.text));
    const kept = await mine.rows<{ recipient: string }>("select recipient from message where recipient = any($1)", [
      people,
    ]);
    expect(kept.map((row) => row.recipient).toSorted()).toEqual(people.toSorted());
    for (const { body } of again) {
      await expect
        .poll(async () => (await mine.call("GET", `/v1/messages/${body.id}`)).body.status)
        .toMatch(/accepted|unknown/);
    }
    const counts = new Map<string, number>();
    const phone_number_id = mine.account.providerPhoneNumberId;
    for (const { to } of gateway.simulator.sent({ phone_number_id, accepted: true, limit: 10_000 }).data)
      if (to !== null && people.includes(to)) counts.set(to, (counts.get(to) ?? 0) + 1);
    expect([...counts.values()].every((count) => count === 1)).toBe(true);
  });

  it("in mid-request without a key: 503 did nothing, 500 names the message to look for", async () => {
    const people = Array.from({ length: 200 }, () => person());
    const replies = people.map((to) => mine.send(to));
    await Promise.any(replies);
    gateway.databaseProxy.cut();
    const answers = await Promise.all(replies);
    gateway.databaseProxy.mend();
    await expect.poll(async () => (await mine.call("GET", "/v1/workspace")).status).toBe(200);
    const kept = await mine.rows<{ recipient: string }>("select recipient from message where recipient = any($1)", [
      people,
    ]);
    const there = new Set(kept.map((row) => row.recipient));
    const answered = (status: number) => people.filter((_to, index) => answers[index]?.status === status);
    expect(answered(202).filter((to) => !there.has(to))).toEqual([]);
    expect(answered(503).filter((to) => there.has(to))).toEqual([]);
    // The rest may be there or not, and says what to look for.
    const rest = answers.filter(({ status }) => status !== 202 && status !== 503);
    const named = { status: 500, code: "internal", resource_id: expect.stringMatching(/^msg_/) };
    expect(rest.map(({ body }) => body)).toEqual(rest.map(() => expect.objectContaining(named)));
  });
});

describe("a server that takes no writes any more", () => {
  /** As after a fail-over: each write is refused on new and on open connections. */
  const readOnly = (on: boolean) =>
    withClient(gateway.database.url, async (client) => {
      const { rows } = await client.query<{ name: string }>("select quote_ident(current_database()) as name");
      const role = `alter role current_user in database ${rows[0]?.name}`;
      await client.query(
        `begin read write; ${role} ${on ? "set" : "reset"} default_transaction_read_only ${on ? "= on" : ""}; commit`,
      );
      if (!on) return;
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
    });

  it("is 503 and nothing was done; afterwards no connection to it is used again", async () => {
    const write = () =>
      mine.call("POST", "/v1/webhook-endpoints", { body: { url: "https://example.com", events: ["*"] } });
    await readOnly(true);
    for (const ask of [() => mine.send(person()), write]) {
      // The first calls may still meet the connections that were just ended.
      await expect.poll(async () => (await mine.call("GET", "/v1/messages")).status).toBe(200);
      const reply = await ask();
      expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([503, "unavailable", true]);
    }
    await readOnly(false);
    expect((await write()).status).toBe(201);
    expect((await mine.send(person())).status).toBe(202);
    await expect.poll(async () => (await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  });
});
