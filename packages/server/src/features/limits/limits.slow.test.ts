import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../lib/duration.ts";
import { callbackOf, postCallback, statusOf as reportOf } from "../../testing/callback.ts";
import { type Gateway, ORDER_READY, type Sender, startGateway } from "../../testing/gateway.ts";
import { reconcileDue } from "../accounts/reconcile.ts";
import { refreshLimits } from "../accounts/refresh-limits.ts";

// A portfolio of its own for each test; its limit is small, so that a test reaches it.

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const MINUTE_MS = 60_000;
let people = 0;
const person = (): string => `+1555300${String((people += 1)).padStart(4, "0")}`;
const strangers = (count: number): string[] => Array.from({ length: count }, person);
let portfolios = 0;
/** A sender whose portfolio may reach so many people. */
const limited = (most: number): Promise<Sender> =>
  gateway.sender({ business_id: String(80_000 + (portfolios += 1)), messaging_limit: `TIER_${most}` });
const statusOf = async (sending: ReturnType<Sender["send"]>): Promise<number> => (await sending).status;
const limitOf = async (of: Sender) =>
  (await of.call("GET", `/v1/phone-numbers/${of.phoneNumberId}`)).body.messaging_limit;
/** Messages that have reached the provider: until then their people move forward with the clock. */
const sendAll = async (of: Sender, ...to: readonly string[]) => {
  const ids: string[] = [];
  for (const one of to) {
    const { status, body } = await of.send(one);
    expect(status).toBe(202);
    await of.becomes(body.id, "accepted");
    ids.push(body.id);
  }
  return ids;
};

describe("the messaging limit of a portfolio", () => {
  it("is what the provider says, and counts each person once", async () => {
    const mine = await limited(2);
    expect(await limitOf(mine)).toEqual({ limit: 2, used: 0, remaining: 2, resets_at: null });
    const [first, second, third] = strangers(3) as [string, string, string];
    await sendAll(mine, first, second, first);
    const refused = await mine.send(third);
    expect(refused).toMatchObject({ status: 429, body: { code: "messaging_limit_reached" } });
    const seconds = Number(refused.headers["retry-after"]);
    expect(seconds).toBeGreaterThan((DAY_MS - 2 * MINUTE_MS) / 1_000);
    expect(seconds).toBeLessThanOrEqual((DAY_MS + 2 * MINUTE_MS) / 1_000);
    const { resets_at, ...left } = await limitOf(mine);
    expect(left).toEqual({ limit: 2, used: 2, remaining: 0 });
    expect(Date.parse(resets_at) - gateway.clock.now()).toBeLessThanOrEqual(DAY_MS + 2 * MINUTE_MS);
    // Nothing is left of what was refused: neither a contact nor an event of one.
    expect(await mine.rows("select 1 from contact where phone = $1", [third])).toEqual([]);
    expect(await mine.rows("select 1 from message where recipient = $1", [third])).toEqual([]);
  });

  it("holds for a send_at that has passed, as for none", async () => {
    const mine = await limited(1);
    await sendAll(mine, person());
    const body = (aheadMs: number): object => ({
      to: person(),
      type: "template",
      template: ORDER_READY,
      send_at: new Date(gateway.clock.now() + aheadMs).toISOString(),
    });
    for (const aheadMs of [-1_000, -59_000]) {
      const past = body(aheadMs);
      const refused = await mine.call("POST", "/v1/messages", { body: past });
      expect(refused).toMatchObject({ status: 429, body: { code: "messaging_limit_reached" } });
      const dry = await mine.call("POST", "/v1/messages/validate", { body: past });
      expect(dry.body.problems).toMatchObject([{ code: "messaging_limit_reached" }]);
    }
    const ahead = body(HOUR_MS);
    expect((await mine.call("POST", "/v1/messages/validate", { body: ahead })).body.problems).toEqual([]);
    expect((await mine.call("POST", "/v1/messages", { body: ahead })).status).toBe(202);
  });

  it("gives way to a replay, in which nothing is counted", async () => {
    const mine = await limited(1);
    const to = person();
    const first = await mine.send(to, {}, { "x-idempotency-key": "once" });
    await mine.becomes(first.body.id, "accepted");
    const refused = await mine.send(person(), {}, { "x-idempotency-key": "refused" });
    expect(refused.status).toBe(429);
    const again = await mine.send(to, {}, { "x-idempotency-key": "once" });
    expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    gateway.clock.advance(DAY_MS + 2 * MINUTE_MS);
    expect(await statusOf(mine.send(person(), {}, { "x-idempotency-key": "refused" }))).toBe(202);
    expect((await mine.send(to, {}, { "x-idempotency-key": "once" })).body.id).toBe(first.body.id);
  });

  it("leaves out who wrote in the last 24 hours, and what is no template", async () => {
    const mine = await limited(1);
    const [writer, other] = strangers(2) as [string, string];
    await mine.inbound(writer);
    expect(await statusOf(mine.send(writer))).toBe(202);
    expect(
      await statusOf(mine.call("POST", "/v1/messages", { body: { to: writer, type: "text", text: { body: "Hi" } } })),
    ).toBe(202);
    expect(await limitOf(mine)).toMatchObject({ used: 0 });
    expect(await statusOf(mine.send(other))).toBe(202);
    expect(await statusOf(mine.send(writer))).toBe(202);
    gateway.clock.advance(24 * HOUR_MS - 30_000);
    expect(await statusOf(mine.send(writer))).toBe(429);
  });

  it("counts a person for 24 hours from the last message, and no longer", async () => {
    const mine = await limited(2);
    const [first, second, third] = strangers(3) as [string, string, string];
    await sendAll(mine, first, second);
    gateway.clock.advance(12 * HOUR_MS);
    await sendAll(mine, first);
    gateway.clock.advance(12 * HOUR_MS - 2 * MINUTE_MS);
    expect(await statusOf(mine.send(third))).toBe(429);
    gateway.clock.advance(4 * MINUTE_MS);
    // The second has left, the first not.
    expect(await limitOf(mine)).toMatchObject({ used: 1 });
    await sendAll(mine, third);
    expect(await statusOf(mine.send(second))).toBe(429);
    gateway.clock.advance(12 * HOUR_MS);
    expect(await statusOf(mine.send(second))).toBe(202);
  });

  it("keeps a person as long as the provider may, who was counted at the end of a minute and written to in the next one", async () => {
    const mine = await limited(1);
    // The end of the next minute: this one's may have passed, and the clock does not go back.
    gateway.clock.advance(2 * MINUTE_MS - (gateway.clock.now() % MINUTE_MS) - 10_000);
    await sendAll(mine, person());
    gateway.clock.advance(DAY_MS + MINUTE_MS / 2);
    expect(await statusOf(mine.send(person()))).toBe(429);
  });

  it("is shared by all its numbers, in whichever workspace", async () => {
    const shared = { business_id: "81001", messaging_limit: "TIER_3" };
    const mine = await gateway.sender(shared);
    const second = await gateway.connect(mine, shared);
    const theirs = await gateway.sender(shared);
    const [a, b, c, d] = strangers(4) as [string, string, string, string];
    expect(await statusOf(mine.send(a))).toBe(202);
    expect(await statusOf(mine.send(a, { from: second.phoneNumberId }))).toBe(202);
    // The same person is another workspace's contact, and one person nevertheless.
    expect(await statusOf(theirs.send(a))).toBe(202);
    expect(await limitOf(theirs)).toMatchObject({ used: 1 });
    await sendAll(theirs, b, c);
    expect(await statusOf(mine.send(d))).toBe(429);
    expect(await statusOf(mine.send(d, { from: second.phoneNumberId }))).toBe(429);
    const other = await limited(1);
    expect(await statusOf(other.send(d))).toBe(202);
  });

  it("counts the forms of a number as one person", async () => {
    const mine = await limited(1);
    expect(await statusOf(mine.send("+5215512345678"))).toBe(202);
    const contact = (await mine.send("+525512345678")).body;
    expect(contact.contact_id).toMatch(/^con_/);
    expect(await statusOf(mine.send(contact.contact_id))).toBe(202);
    expect(await statusOf(mine.send(person()))).toBe(429);
  });

  it("counts merged contacts once from then on, and both until then", async () => {
    const mine = await limited(3);
    const forms = ["+5491145678901", "+541145678901"] as const;
    await sendAll(mine, ...forms);
    await expect.poll(() => mine.rows("select 1 from contact where merged_into is not null")).toHaveLength(1);
    expect(await limitOf(mine)).toMatchObject({ used: 2 });
    gateway.clock.advance(DAY_MS + 2 * MINUTE_MS);
    await sendAll(mine, ...forms);
    expect(await limitOf(mine)).toMatchObject({ used: 1 });
  });

  it("refuses the last of a batch, in the order of arrival, and none too many", async () => {
    const mine = await limited(5);
    const replies = await Promise.all(strangers(40).map((to) => mine.send(to)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
    expect(await limitOf(mine)).toMatchObject({ used: 5, remaining: 0 });
  });
});

describe("a person is given back", () => {
  const full = async (): Promise<{ mine: Sender; to: string; send: () => Promise<number> }> => {
    const mine = await limited(1);
    return { mine, to: person(), send: async () => (await mine.send(person())).status };
  };

  it("when the provider refuses the message", async () => {
    const { mine, to, send } = await full();
    gateway.simulator.addFault({ kind: "refuse", code: 131_009, recipient: to });
    const { body } = await mine.send(to);
    await mine.becomes(body.id, "failed");
    expect(await limitOf(mine)).toMatchObject({ used: 0, remaining: 1 });
    expect(await send()).toBe(202);
    expect(await send()).toBe(429);
  });

  it("when the provider reports that it failed", async () => {
    const { mine, to, send } = await full();
    gateway.simulator.setDelays({ statuses: true, sentMs: 0 });
    gateway.simulator.addFault({ kind: "fail", code: 131_026, recipient: to });
    const { body } = await mine.send(to);
    await mine.becomes(body.id, "failed");
    gateway.simulator.setDelays({ statuses: false });
    expect(await send()).toBe(202);
    expect(await send()).toBe(429);
  });

  it("when the message expires", async () => {
    const { mine, to, send } = await full();
    gateway.simulator.addFault({ kind: "refuse", code: 131_056, recipient: to, count: null });
    const expires_at = new Date(gateway.clock.now() + HOUR_MS).toISOString();
    const { body } = await mine.send(to, { expires_at });
    await expect.poll(() => gateway.simulator.sent({ to }).data.length).toBeGreaterThan(0);
    expect(await send()).toBe(429);
    gateway.clock.advance(HOUR_MS);
    expect(await mine.becomes(body.id, "expired")).toMatchObject({ error: { code: "expired" } });
    expect(await send()).toBe(202);
  });

  it("when the message is canceled", async () => {
    const { mine, to, send } = await full();
    gateway.simulator.addFault({ kind: "refuse", code: 131_056, recipient: to, count: null });
    const { id } = (await mine.send(to)).body;
    await expect.poll(() => statusOf(mine.call("POST", `/v1/messages/${id}/cancel`))).toBe(200);
    expect(await limitOf(mine)).toMatchObject({ used: 0 });
    expect(await send()).toBe(202);
  });

  it("only while counted for that message alone", async () => {
    const { mine, to, send } = await full();
    gateway.simulator.addFault({ kind: "refuse", code: 131_009, recipient: to });
    const { body } = await mine.send(to);
    await mine.becomes(body.id, "failed");
    // A later message reaches them before the room is needed.
    await sendAll(mine, to);
    expect(await limitOf(mine)).toMatchObject({ used: 1 });
    expect(await send()).toBe(429);
  });

  it.each([{ others: 1 }, { others: 0 }])(
    "until the message reaches another of their devices ($others have taken the room)",
    async ({ others }) => {
      const { mine, to, send } = await full();
      // So that the provider refuses nobody: it does not know here that the message failed.
      gateway.simulator.setMessagingLimit(mine.account.wabaId, "TIER_2", false);
      const [id = ""] = await sendAll(mine, to);
      const wamid = (await mine.becomes(id, "accepted"))["provider_message_id"] as string;
      const report = async (status: string, more: object = {}) => {
        const value = reportOf(wamid, status, gateway.clock.now(), { recipient_id: to.slice(1), ...more });
        expect((await postCallback(gateway, callbackOf(mine.account, value))).status).toBe(200);
        await mine.becomes(id, status);
      };
      await report("failed", { errors: [{ code: 131_026, title: "Message undeliverable" }] });
      expect(await limitOf(mine)).toMatchObject({ used: 0 });
      expect(await Promise.all(Array.from({ length: others }, send))).toEqual(Array(others).fill(202));
      await report("delivered");
      await report("read");
      const used = others + 1;
      await expect.poll(() => limitOf(mine)).toMatchObject({ used, remaining: 0 });
      expect(await send()).toBe(429);
      expect(await limitOf(mine)).toMatchObject({ used });
    },
  );

  it("not when the provider's answer was lost", async () => {
    const { mine, to, send } = await full();
    gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
    const { body } = await mine.send(to);
    await mine.becomes(body.id, "unknown");
    expect(await send()).toBe(429);
  });
});

describe("what is sent later", () => {
  const later = (ms: number): { send_at: string } => ({ send_at: new Date(gateway.clock.now() + ms).toISOString() });

  it("is counted when it is sent, and waits for room", async () => {
    const mine = await limited(1);
    const scheduled = await mine.send(person(), later(HOUR_MS));
    expect(scheduled.status).toBe(202);
    expect(await limitOf(mine)).toMatchObject({ used: 0 });
    await sendAll(mine, person());
    gateway.clock.advance(HOUR_MS + 1_000);
    // It is looked at, and put off.
    const due = () =>
      mine.rows<{ due: string | Date }>("select due from dispatch where due > $1", [new Date(gateway.clock.now())]);
    await expect.poll(due).toHaveLength(1);
    expect((await mine.call("GET", `/v1/messages/${scheduled.body.id}`)).body.status).toBe("queued");
    gateway.clock.advance(23 * HOUR_MS);
    gateway.clock.advance(HOUR_MS);
    await mine.becomes(scheduled.body.id, "accepted");
    expect(await limitOf(mine)).toMatchObject({ used: 1 });
    expect(await statusOf(mine.send(person()))).toBe(429);
  });

  it("ends at its expires_at, and says that there was no room", async () => {
    const mine = await limited(1);
    const expires_at = new Date(gateway.clock.now() + 3 * HOUR_MS).toISOString();
    const to = person();
    const { body } = await mine.send(to, { ...later(HOUR_MS), expires_at });
    await sendAll(mine, person());
    gateway.clock.advance(HOUR_MS + 1_000);
    await expect
      .poll(() => mine.rows("select 1 from dispatch where due > $1", [new Date(gateway.clock.now())]))
      .toHaveLength(1);
    gateway.clock.advance(2 * HOUR_MS);
    expect(await mine.becomes(body.id, "expired")).toMatchObject({ error: { code: "messaging_limit_reached" } });
    expect(gateway.simulator.sent({ to }).data).toEqual([]);
  });

  it("is counted for the fallback of a text, which waits for room too", async () => {
    const mine = await limited(1);
    const to = person();
    const text = { to, type: "text", text: { body: "On our way." }, fallback: { template: ORDER_READY } };
    const { status, body } = await mine.call("POST", "/v1/messages", { body: text });
    expect(status).toBe(202);
    expect(await mine.becomes(body.id, "accepted")).toMatchObject({ fallback_used: true });
    expect(await limitOf(mine)).toMatchObject({ used: 1 });
    const other = person();
    const waiting = await mine.call("POST", "/v1/messages", { body: { ...text, to: other } });
    await expect
      .poll(() => mine.rows("select 1 from dispatch where due > $1", [new Date(gateway.clock.now())]))
      .toHaveLength(1);
    expect(gateway.simulator.sent({ to: other }).data).toEqual([]);
    gateway.clock.advance(DAY_MS);
    gateway.clock.advance(3 * MINUTE_MS);
    expect(await mine.becomes(waiting.body.id, "accepted")).toMatchObject({ fallback_used: true });
  });

  it("is foretold by a dry run, but of who counts already", async () => {
    const mine = await limited(1);
    const [counted, stranger] = strangers(2) as [string, string];
    const validate = async (to: string) =>
      (await mine.call("POST", "/v1/messages/validate", { body: { to, type: "template", template: ORDER_READY } }))
        .body;
    expect(await validate(stranger)).toMatchObject({
      sendable: true,
      limits: { messaging: { limit: 1, remaining: 1 } },
    });
    await sendAll(mine, counted);
    expect(await validate(stranger)).toMatchObject({
      sendable: false,
      problems: [{ code: "messaging_limit_reached" }],
      limits: { messaging: { limit: 1, used: 1, remaining: 0 } },
    });
    expect(await validate(counted)).toMatchObject({ sendable: true, problems: [] });
  });

  it("is counted at dispatch when its window has closed since", async () => {
    const mine = await limited(1);
    const to = person();
    await mine.inbound(to);
    gateway.simulator.addFault({ kind: "refuse", code: 131_056, recipient: to });
    const { body } = await mine.send(to);
    await expect.poll(() => gateway.simulator.sent({ to }).data.length).toBe(1);
    expect(await limitOf(mine)).toMatchObject({ used: 0 });
    gateway.clock.advance(DAY_MS);
    await mine.becomes(body.id, "accepted");
    expect(await limitOf(mine)).toMatchObject({ used: 1 });
  });
});

describe("the provider's word", () => {
  it("raises and lowers the limit by a callback", async () => {
    const mine = await limited(1);
    const { account } = mine;
    await sendAll(mine, person());
    expect(await statusOf(mine.send(person()))).toBe(429);
    gateway.simulator.setMessagingLimit(account.wabaId, "TIER_3");
    await expect.poll(async () => (await limitOf(mine)).limit).toBe(3);
    gateway.clock.advance(5_000);
    await sendAll(mine, person(), person());
    expect(await statusOf(mine.send(person()))).toBe(429);
    gateway.simulator.setMessagingLimit(account.wabaId, "TIER_2");
    await expect.poll(async () => (await limitOf(mine)).limit).toBe(2);
    expect(await limitOf(mine)).toMatchObject({ used: 3, remaining: 0 });
    expect(await statusOf(mine.send(person()))).toBe(429);
    gateway.simulator.setMessagingLimit(account.wabaId, "TIER_UNLIMITED");
    await expect.poll(() => limitOf(mine)).toEqual({ limit: null, used: null, remaining: null, resets_at: null });
    gateway.clock.advance(5_000);
    await sendAll(mine, person(), person());
  });

  it("that there is a limit now counts whom it has reached before", async () => {
    const mine = await gateway.sender();
    const reached = strangers(3);
    const failed = person();
    await sendAll(mine, ...reached, reached[0] ?? "");
    gateway.simulator.addFault({ kind: "refuse", code: 131_009, recipient: failed });
    await mine.becomes((await mine.send(failed)).body.id, "failed");
    const writer = person();
    await mine.inbound(writer);
    await sendAll(mine, writer);
    expect(await limitOf(mine)).toEqual({ limit: null, used: null, remaining: null, resets_at: null });
    gateway.clock.advance(HOUR_MS);
    gateway.simulator.setMessagingLimit(mine.account.wabaId, "TIER_4");
    await expect.poll(() => limitOf(mine)).toMatchObject({ limit: 4, used: 3, remaining: 1 });
    gateway.clock.advance(11_000); // counted once more
    await expect.poll(() => mine.rows("select 1 from task")).toEqual([]);
    expect(await limitOf(mine)).toMatchObject({ limit: 4, used: 3, remaining: 1 });
    await sendAll(mine, person());
    expect(await statusOf(mine.send(person()))).toBe(429);
    await sendAll(mine, ...reached);
  });

  it("that there is a limit now counts whom it has reached in the first minute, and nobody at the first connection", async () => {
    const mine = await gateway.sender({ business_id: String(80_000 + (portfolios += 1)) });
    const counts = () => mine.rows("select 1 from job where kind = 'limits.count'");
    await sendAll(mine, person(), person());
    gateway.simulator.setMessagingLimit(mine.account.wabaId, "TIER_2");
    await expect.poll(() => limitOf(mine)).toMatchObject({ limit: 2, used: 2, remaining: 0 });
    expect(await counts()).toHaveLength(1);
    gateway.clock.advance(5_000);
    expect(await statusOf(mine.send(person()))).toBe(429);
    const fresh = await limited(2);
    expect(await fresh.rows("select 1 from job where kind = 'limits.count'")).toEqual([]);
  });

  const reconnect = async ({ call, account }: Sender): Promise<void> => {
    const body = { provider_account_id: account.wabaId, access_token: account.token };
    expect((await call("POST", "/v1/business-accounts", { body })).status).toBe(201);
  };
  const check = async (): Promise<void> => {
    gateway.clock.advance(7 * HOUR_MS);
    await reconcileDue(gateway.app);
  };

  it.each([
    { way: "a reconnection", find: reconnect },
    { way: "the regular check", find: check },
  ])("that an account is in another portfolio counts its people there, found by $way", async ({ find }) => {
    const [mine, theirs] = [await limited(3), await limited(3)];
    await sendAll(mine, person(), person());
    await sendAll(theirs, person());
    const { wabaId, token, providerPhoneNumberId, phone } = mine.account;
    const accounts = async (of: Sender) => (await of.call("GET", "/v1/business-accounts")).body.data[0];
    const { portfolio_id } = await accounts(theirs);
    gateway.simulator.addAccount({
      waba_id: wabaId,
      name: "Renamed",
      business_id: portfolio_id,
      messaging_limit: "TIER_3",
      token,
      subscribed: true,
      phone_numbers: [{ id: providerPhoneNumberId, display_phone_number: phone }],
      templates: [
        {
          ...ORDER_READY,
          language: "en_US",
          category: "UTILITY",
          components: [{ type: "BODY", text: "It is ready." }],
        },
      ],
    });
    await find(mine);
    await expect.poll(() => accounts(mine)).toMatchObject({ name: "Renamed", portfolio_id });
    await expect.poll(() => limitOf(theirs)).toMatchObject({ limit: 3, used: 3, remaining: 0 });
    expect(await limitOf(mine)).toMatchObject({ limit: 3, used: 3, remaining: 0 });
    gateway.clock.advance(5_000);
    expect([await statusOf(mine.send(person())), await statusOf(theirs.send(person()))]).toEqual([429, 429]);
  });

  it("is asked for again after a day, in case a callback was missed", async () => {
    const mine = await limited(5);
    gateway.simulator.setMessagingLimit(mine.account.wabaId, "TIER_6", false);
    await refreshLimits(gateway.app);
    expect(await limitOf(mine)).toMatchObject({ limit: 5 });
    gateway.clock.advance(DAY_MS + MINUTE_MS);
    await refreshLimits(gateway.app);
    await expect.poll(() => limitOf(mine)).toMatchObject({ limit: 6 });
  });

  it("that the limit is reached stops new people for an hour, and fails no message", async () => {
    const mine = await limited(10);
    const [first, second, third] = strangers(3) as [string, string, string];
    await sendAll(mine, first);
    // Another system sends from the portfolio too.
    gateway.simulator.addFault({ kind: "refuse", code: 131_064, recipient: second });
    const { body } = await mine.send(second);
    await expect.poll(() => limitOf(mine)).toMatchObject({ limit: 10, used: 2, remaining: 0 });
    expect(await statusOf(mine.send(third))).toBe(429);
    await sendAll(mine, first);
    gateway.clock.advance(HOUR_MS + 1_000);
    await mine.becomes(body.id, "accepted");
    await sendAll(mine, third);
  });

  it.each([{ messaging_limit: "TIER_UNLIMITED" }, {}])(
    "that the limit is reached is shown where none was known before (%o)",
    async (account) => {
      const mine = await gateway.sender({ business_id: String(80_000 + (portfolios += 1)), ...account });
      const [first, second] = strangers(2) as [string, string];
      gateway.simulator.addFault({ kind: "refuse", code: 131_064, recipient: first });
      expect(await statusOf(mine.send(first))).toBe(202);
      await expect.poll(async () => (await limitOf(mine)).remaining).toBe(0);
      const { resets_at } = await limitOf(mine);
      const seconds = (Date.parse(resets_at) - gateway.clock.now()) / 1_000;
      expect(seconds).toBeGreaterThan(HOUR_MS / 1_000 - 60);
      expect(seconds).toBeLessThanOrEqual(HOUR_MS / 1_000);
      gateway.clock.advance(5_000);
      const body = { to: second, type: "template", template: ORDER_READY };
      const dry = (await mine.call("POST", "/v1/messages/validate", { body })).body;
      expect([dry.sendable, dry.problems[0]?.code]).toEqual([false, "messaging_limit_reached"]);
      expect(dry.limits.messaging).toEqual({ limit: null, used: null, remaining: 0, resets_at });
      expect(await statusOf(mine.send(second))).toBe(429);
      gateway.clock.advance(HOUR_MS);
      expect(await limitOf(mine)).toEqual({ limit: null, used: null, remaining: null, resets_at: null });
      expect((await mine.call("POST", "/v1/messages/validate", { body })).body.sendable).toBe(true);
    },
  );
});
