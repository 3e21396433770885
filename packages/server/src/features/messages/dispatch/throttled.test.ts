import { describe, expect, it } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { person, startSenders } from "../testing/senders.ts";

const { gateway, mine, theirs, sentTo } = await startSenders();

/** Refuses the next sends to a person with these codes, in this order. */
function refuse(to: string, ...codes: number[]): void {
  for (const code of codes) gateway.simulator.addFault({ kind: "refuse", code, recipient: to });
}

/** Milliseconds from an attempt's outcome until the message is due again. */
async function pauseOf(id: string, attempts: number): Promise<number> {
  const uuid = parseId("msg", id) ?? "";
  const pause = async () => {
    const [row] = await mine.rows<{ ms: number }>(
      `select extract(epoch from d.due - a.completed_at) * 1000 as ms from dispatch d
       join attempt a on a.message_id = d.message_id and a.attempt = d.attempt
       where d.message_id = $1 and d.attempt = $2 and d.state = 0`,
      [uuid, attempts],
    );
    return row ? Math.round(Number(row.ms) / 100) / 10 : null;
  };
  await expect.poll(pause).not.toBeNull();
  return (await pause()) ?? 0;
}

describe("131056", () => {
  it("parks only its pair, for 4^X seconds, X being the refusals in a row", async () => {
    const to = person();
    // The transient one in between ends the row.
    refuse(to, 131056, 131056, 131056, 131016, 131056);
    const { body } = await mine.send(to);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      pauses.push(await pauseOf(body.id, attempt));
      gateway.clock.advance(Math.ceil(pauses.at(-1) ?? 0) * 1_000 + 1_000);
    }
    expect(pauses.filter((_, index) => index !== 3)).toEqual([1, 4, 16, 1]);
    await mine.becomes(body.id, "accepted");
    expect(sentTo(to)).toHaveLength(6);
  });

  it("is in the history of the message with the provider's code and trace id, while it waits and afterwards", async () => {
    const to = person();
    refuse(to, 131056);
    const { body } = await mine.send(to);
    await pauseOf(body.id, 1);
    const read = async () => (await mine.call("GET", `/v1/messages/${body.id}`)).body;
    const waiting = await read();
    expect(waiting).toMatchObject({ status: "queued", final: false, error: null });
    const provider = { code: 131056, trace_id: expect.any(String) };
    const remedy = expect.stringMatching("tried again");
    const refused = { status: "queued", error: { code: "rate_limited", retryable: false, remedy, provider } };
    expect(waiting.history).toMatchObject([refused]);
    gateway.clock.advance(2_000);
    await mine.becomes(body.id, "accepted");
    const { history } = await read();
    expect(history.slice(0, 2)).toMatchObject([refused, { status: "accepted", error: null }]);
    expect(history[0].at <= history[1].at).toBe(true);
  });

  it("is shown with the time of the next attempt while there is one, in lists too, and not of what waits behind it", async () => {
    const to = person();
    refuse(to, 131056, 131016);
    const sent = await mine.send(to);
    const { id } = sent.body;
    await pauseOf(id, 1);
    const behind = (await mine.send(to)).body;
    const shownOf = async (one: string) => {
      const single = (await mine.call("GET", `/v1/messages/${one}`)).body;
      const { data } = (await mine.call("GET", `/v1/messages?contact_id=${single.contact_id}`)).body;
      const row = data.find((listed: { id: string }) => listed.id === one);
      expect([row.next_attempt_at, row.last_error]).toEqual([single.next_attempt_at, single.last_error]);
      return single;
    };
    const [row] = await mine.rows<{ due: Date }>("select due from dispatch where message_id = $1", [
      parseId("msg", id) ?? "",
    ]);
    const waiting = await shownOf(id);
    expect(waiting).toMatchObject({
      status: "queued",
      error: null,
      next_attempt_at: row?.due.toISOString(),
      last_error: { code: "rate_limited", retryable: false, provider: { code: 131056 } },
    });
    expect(sent.body).not.toHaveProperty("last_error");
    for (const field of ["next_attempt_at", "last_error"]) expect(await shownOf(behind.id)).not.toHaveProperty(field);
    gateway.clock.advance(2_000);
    await pauseOf(id, 2);
    expect(await shownOf(id)).toMatchObject({ last_error: { code: "provider_error", provider: { code: 131016 } } });
    expect(await theirs.call("GET", `/v1/messages/${id}`)).toMatchObject({ status: 404 });
    gateway.clock.advance(60_000);
    await mine.becomes(id, "accepted");
    for (const field of ["next_attempt_at", "last_error"]) expect(await shownOf(id)).not.toHaveProperty(field);
  });

  it("holds the later messages of that person back, and no one else's", async () => {
    const [to, other] = [person(), person()];
    refuse(to, 131056, 131056);
    const first = await mine.send(to);
    await pauseOf(first.body.id, 1);
    const second = await mine.send(to);
    await mine.becomes((await mine.send(other)).body.id, "accepted");
    expect((await mine.call("GET", `/v1/messages/${second.body.id}`)).body.status).toBe("queued");
    gateway.clock.advance(2_000);
    await pauseOf(first.body.id, 2);
    gateway.clock.advance(5_000);
    await mine.becomes(second.body.id, "accepted");
    const [one, two] = [await mine.becomes(first.body.id, "accepted"), await mine.becomes(second.body.id, "accepted")];
    expect(one.accepted_at <= two.accepted_at).toBe(true);
  });
});

describe("HTTP 429", () => {
  it.each([131099, 100, 32])("with code %i is tried again, ever later, until the provider takes it", async (code) => {
    const to = person();
    for (let at = 0; at < 3; at++) gateway.simulator.addFault({ kind: "refuse", code, httpStatus: 429, recipient: to });
    const { body } = await mine.send(to);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      pauses.push(await pauseOf(body.id, attempt));
      gateway.clock.advance(Math.ceil(pauses.at(-1) ?? 0) * 1_000 + 1_000);
    }
    expect(pauses[0]).toBeLessThan(pauses[1] ?? 0);
    expect(pauses[1]).toBeLessThan(pauses[2] ?? 0);
    await mine.becomes(body.id, "accepted");
    const { history } = (await mine.call("GET", `/v1/messages/${body.id}`)).body;
    expect(history.slice(0, 3)).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: "queued", error: { code: "rate_limited", provider: { code } } })),
    );
    // The number recovers its pace.
    gateway.clock.advance(60_000);
  });
});

describe("a refusal of one class", () => {
  it("is not final because of refusals of other classes", async () => {
    const to = person();
    refuse(to, ...Array.from({ length: 6 }, () => 131056), 131016);
    const { body } = await mine.send(to);
    for (let attempt = 1; attempt <= 6; attempt++) {
      const pause = await pauseOf(body.id, attempt);
      gateway.clock.advance(Math.ceil(pause) * 1_000 + 1_000);
    }
    expect(await pauseOf(body.id, 7)).toBeLessThan(3);
    gateway.clock.advance(4_000);
    await mine.becomes(body.id, "accepted");
    expect(sentTo(to)).toHaveLength(8);
  });

  it("(10) is not final because the account was found well after a refusal of another one", async () => {
    const sender = await gateway.sender();
    const [to, other] = [person(), person()];
    refuse(to, 131056, 131056, 131056, 10);
    refuse(other, 10);
    const { id } = (await sender.send(to)).body;
    const attempts = (count: number) => () =>
      sender.rows("select 1 from dispatch where attempt = $1 and state = 0", [count]);
    for (const count of [1, 2, 3]) {
      await expect.poll(attempts(count)).toHaveLength(1);
      if (count < 3) gateway.clock.advance(5_000);
    }
    await sender.send(other);
    const checked = () => sender.rows("select 1 from business_account where checked_at is not null");
    await expect.poll(checked).toHaveLength(1);
    // The lane knows of the check: its settings are read every four seconds.
    gateway.clock.advance(5_000);
    await sender.becomes((await sender.send(person())).body.id, "accepted");
    gateway.clock.advance(15_000);
    await expect.poll(() => sentTo(to)).toHaveLength(4);
    gateway.clock.advance(30_000);
    await sender.becomes(id, "accepted");
  });
});

describe("130429", () => {
  it("is no failure of the message: it is sent again, more slowly", async () => {
    const to = person();
    refuse(to, 130429, 130429);
    const { body } = await mine.send(to);
    await pauseOf(body.id, 1);
    gateway.clock.advance(2_000);
    await pauseOf(body.id, 2);
    gateway.clock.advance(4_000);
    expect(await mine.becomes(body.id, "accepted")).toMatchObject({ error: null });
    expect(sentTo(to).map(({ code }) => code)).toEqual([130429, 130429, null]);
  });
});

describe("a message that waits for room in the messaging limit", () => {
  it("holds back no other message of the person", async () => {
    const sender = await gateway.sender({ messaging_limit: "TIER_1" });
    const [counted, stranger] = [person(), person()];
    await sender.becomes((await sender.send(counted)).body.id, "accepted");
    const later = { send_at: new Date(gateway.clock.now() + 60_000).toISOString() };
    const waiting = (await sender.send(stranger, later)).body.id;
    gateway.clock.advance(60_000);
    const due = () => sender.rows("select 1 from dispatch where due > $1", [new Date(gateway.clock.now() + 60_000)]);
    await expect.poll(due).toHaveLength(1);
    await sender.inbound(stranger);
    const reply = { to: stranger, type: "text", text: { body: "At your service." } };
    await sender.becomes((await sender.call("POST", "/v1/messages", { body: reply })).body.id, "accepted");
    expect((await sender.call("GET", `/v1/messages/${waiting}`)).body.status).toBe("queued");
  });
});
