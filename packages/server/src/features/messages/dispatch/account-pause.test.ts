import { describe, expect, it } from "vitest";
import type { Sender } from "../../../testing/gateway.ts";
import { person, startSenders } from "../testing/senders.ts";

const { gateway, theirs, sentTo } = await startSenders();
const { simulator, clock } = gateway;

const accountOf = async (sender: Sender) => (await sender.call("GET", "/v1/business-accounts")).body.data[0];
async function isNow(sender: Sender, status: string): Promise<void> {
  await expect.poll(async () => (await accountOf(sender)).status).toBe(status);
}
const eventsOf = (sender: Sender) =>
  sender.rows(
    "select kind, state->>'provider_event' as provider_event, state->>'detail' as detail, state->>'reason' as reason from event where resource_id is not null order by sequence",
  );
const statusOf = async (sender: Sender, id: string) => (await sender.call("GET", `/v1/messages/${id}`)).body;
/** Nothing of the message is under way, and nothing has become of it. */
async function waits(sender: Sender, id: string): Promise<void> {
  await expect.poll(async () => (await statusOf(sender, id)).status).toMatch(/^(queued|scheduled)$/);
}
const accepted = (to: string) => sentTo(to).filter((one) => one.accepted);

/** Six messages to two people, whose time comes when all of them are there and the account has changed. */
async function sendSix(sender: Sender, change: () => void) {
  const people = [person(), person()];
  const send_at = new Date(clock.now() + 60_000).toISOString();
  const ids: string[] = [];
  for (const to of [...people, ...people, ...people]) ids.push((await sender.send(to, { send_at })).body.id);
  // Read after them: the lane knows them too.
  await sender.becomes((await sender.send(person())).body.id, "accepted");
  change();
  clock.advance(60_000);
  return { people, ids };
}

async function inOrder(sender: Sender, people: readonly string[], ids: readonly string[]): Promise<void> {
  for (const id of ids) expect(await sender.becomes(id, "accepted")).toMatchObject({ error: null });
  for (const to of people) {
    const wamids = accepted(to).map(({ id }) => id);
    const own = (await Promise.all(ids.map((id) => statusOf(sender, id)))).filter((message) => message.to === to);
    expect(own.map((message) => message.provider_message_id)).toEqual(wamids);
  }
}

describe("an account that the provider does not let send", () => {
  it.each([368, 131031])(
    "(%i) waits with its messages, and goes on in order when a callback lifts it",
    async (code) => {
      const mine = await gateway.sender();
      const { people, ids } = await sendSix(mine, () => simulator.setAccountLock(mine.account.wabaId, code));
      await isNow(mine, "restricted");
      for (const id of ids) await waits(mine, id);
      // Refused once or not at all: the lane stops, and other accounts go on.
      const tried = people.flatMap(sentTo).length;
      clock.advance(4_000);
      await theirs.becomes((await theirs.send(person())).body.id, "accepted");
      expect(people.flatMap(sentTo)).toHaveLength(tried);
      expect(await mine.send(person())).toMatchObject({ status: 422, body: { code: "sender_unavailable" } });

      simulator.setAccountLock(mine.account.wabaId, null);
      const value = { ban_info: { waba_ban_state: "REINSTATE", waba_ban_date: "November 24, 2026" } };
      simulator.accountEvent({ waba_id: mine.account.wabaId, event: "DISABLED_UPDATE", value });
      await isNow(mine, "connected");
      clock.advance(20_000);
      await inOrder(mine, people, ids);
      // Its begin, what the callback says, and its end.
      expect(await eventsOf(mine)).toMatchObject([
        { kind: "account_changed", provider_event: null },
        { kind: "account_changed", provider_event: "DISABLED_UPDATE" },
        { kind: "account_changed", provider_event: null },
      ]);
      expect(await eventsOf(theirs)).toEqual([]);
    },
  );

  it("goes on by itself when a probe finds the restriction lifted", async () => {
    const mine = await gateway.sender();
    simulator.setAccountLock(mine.account.wabaId, 368);
    const { body } = await mine.send(person());
    await isNow(mine, "restricted");
    const probed = async (times: number) => {
      const tasks = () =>
        mine.rows("select 1 from task where attempt >= $1 and due > $2", [times, new Date(clock.now())]);
      await expect.poll(tasks).toHaveLength(1);
    };
    await probed(1); // waits for its time
    clock.advance(5 * 60_000 + 1_000);
    await probed(2); // still locked
    expect((await accountOf(mine)).status).toBe("restricted");
    simulator.setAccountLock(mine.account.wabaId, null);
    clock.advance(5 * 60_000 + 1_000);
    await isNow(mine, "connected");
    clock.advance(5_000);
    await mine.becomes(body.id, "accepted");
  });

  it("although it calls the account well is looked at less and less often, with two events each time", async () => {
    const mine = await gateway.sender();
    const to = person();
    simulator.addFault({ kind: "refuse", code: 368, recipient: to, count: 100 });
    await mine.send(to);
    const waits: number[] = [];
    for (let look = 0; look < 4; look++) {
      await isNow(mine, "restricted");
      const due = () =>
        mine.rows<{ due: Date }>("select due from task where due > $1", [new Date(clock.now() + 60_000)]);
      await expect.poll(due).toHaveLength(1);
      const ms = ((await due())[0]?.due.getTime() ?? 0) - clock.now();
      waits.push(Math.round(ms / 60_000));
      clock.advance(ms + 1_000);
      await isNow(mine, "connected");
      // The message is tried again, and refused.
      clock.advance(15_000);
    }
    expect(waits).toEqual([5, 10, 20, 40]);
    expect((await eventsOf(mine)).length).toBeLessThanOrEqual(9);
  });

  it("(190) waits until a new token is stored", async () => {
    const mine = await gateway.sender();
    clock.advance(61_000); // the token is surely the one that is refused
    const { people, ids } = await sendSix(mine, () => simulator.setTokenDeath(mine.account.wabaId, 463));
    await isNow(mine, "disconnected");
    for (const id of ids) await waits(mine, id);
    expect((await eventsOf(mine)).map(({ kind }) => kind)).toEqual(["signup_revoked"]);
    simulator.setTokenDeath(mine.account.wabaId, null);
    const body = { provider_account_id: mine.account.wabaId, access_token: mine.account.token };
    expect((await mine.call("POST", "/v1/business-accounts", { body })).status).toBe(201);
    clock.advance(20_000);
    await inOrder(mine, people, ids);
    expect((await eventsOf(mine)).map(({ kind }) => kind)).toEqual(["signup_revoked"]);
  });
});

describe.each([
  [10, "account_disconnected"],
  [803, "provider_rejected"],
])("a refusal with %i", (code, failsAs) => {
  const refuse = (to: string, count: number) => simulator.addFault({ kind: "refuse", code, recipient: to, count });

  it("is tried again once the account was found well, and then fails with it; the account stays as it is", async () => {
    const mine = await gateway.sender();
    const [once, always] = [person(), person()];
    refuse(once, 1);
    refuse(always, 10);
    const [first, second] = [await mine.send(once), await mine.send(always)];
    const checkedAt = () => mine.rows("select 1 from business_account where checked_at is not null");
    await expect.poll(checkedAt).toHaveLength(1);
    const passes = async () => {
      clock.advance(5_000);
      return (await statusOf(mine, second.body.id)).status;
    };
    await expect.poll(passes).toBe("failed");
    await mine.becomes(first.body.id, "accepted");
    const failed = await statusOf(mine, second.body.id);
    expect(sentTo(always).length).toBeGreaterThan(1);
    expect(failed.error).toMatchObject({
      code: failsAs,
      provider: { code, trace_id: expect.any(String) },
    });
    expect(failed.history.at(-1).error.provider).toEqual(failed.error.provider);
    expect((await accountOf(mine)).status).toBe("connected");
    expect(await eventsOf(mine)).toEqual([]);
  });

  it("of a token that has lost its access waits, and disconnects the account", async () => {
    const mine = await gateway.sender();
    const to = person();
    refuse(to, 1);
    simulator.removeAccount(mine.account.wabaId);
    const { body } = await mine.send(to);
    await isNow(mine, "disconnected");
    // Its outcome may be stored after that of the account.
    await expect.poll(async () => (await statusOf(mine, body.id)).status).toBe("queued");
    expect((await eventsOf(mine)).map(({ kind }) => kind)).toEqual(["signup_revoked"]);
  });
});

// The provider answers 100 with subcode 33, at the number and at the account alike.
describe("what the token no longer reaches", () => {
  const numberAt = ({ account }: Sender) => ({
    id: account.providerPhoneNumberId,
    display_phone_number: account.phone,
  });
  /** The token's account at the provider has these numbers from now on. */
  const add = ({ account }: Sender, phone_numbers: ReturnType<typeof numberAt>[], waba_id = account.wabaId) =>
    simulator.addAccount({
      waba_id,
      name: "Shop",
      business_id: `7${waba_id}`,
      token: account.token,
      subscribed: true,
      phone_numbers,
      templates: [
        { name: "order_ready", language: "en_US", category: "UTILITY", components: [{ type: "BODY", text: "Ready." }] },
      ],
    });
  const numberOf = async (sender: Sender) => (await sender.call("GET", "/v1/phone-numbers")).body.data[0].status;

  it("is the account: it is disconnected, and its messages go out in order once it is connected again", async () => {
    const mine = await gateway.sender();
    const { people, ids } = await sendSix(mine, () => {
      // The token is good for something else.
      add(mine, [], `1${mine.account.wabaId}`);
      simulator.removeAccount(mine.account.wabaId);
    });
    await isNow(mine, "disconnected");
    for (const id of ids) await waits(mine, id);
    expect((await eventsOf(mine)).map(({ kind }) => kind)).toEqual(["signup_revoked"]);
    add(mine, [numberAt(mine)]);
    const body = { provider_account_id: mine.account.wabaId, access_token: mine.account.token };
    expect((await mine.call("POST", "/v1/business-accounts", { body })).status).toBe(201);
    clock.advance(75_000);
    await inOrder(mine, people, ids);
  });

  it("is the number: it is shown as disconnected, and its messages wait until it is back", async () => {
    const mine = await gateway.sender();
    const { people, ids } = await sendSix(mine, () => add(mine, []));
    await expect.poll(() => numberOf(mine)).toBe("disconnected");
    expect((await accountOf(mine)).status).toBe("connected");
    for (let minute = 0; minute < 6; minute++) {
      clock.advance(60_000);
      for (const id of ids) await waits(mine, id);
    }
    // Not once a minute: its lane is closed.
    expect(people.flatMap(sentTo).length).toBeLessThanOrEqual(3 * people.length);
    add(mine, [numberAt(mine)]);
    const body = { provider_account_id: mine.account.wabaId, access_token: mine.account.token };
    expect((await mine.call("POST", "/v1/business-accounts", { body })).status).toBe(201);
    clock.advance(75_000);
    await inOrder(mine, people, ids);
  });
});
