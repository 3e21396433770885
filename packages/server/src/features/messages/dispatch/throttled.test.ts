import { describe, expect, it } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { person, startSenders } from "../testing/senders.ts";

const { gateway, mine, sentTo } = await startSenders();

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
