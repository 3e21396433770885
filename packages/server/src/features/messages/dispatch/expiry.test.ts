import { describe, expect, it } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import type { Sender } from "../../../testing/gateway.ts";
import { person, startSenders } from "../testing/senders.ts";

const { gateway, theirs, sentTo } = await startSenders();
const { simulator, clock } = gateway;

const MINUTE_MS = 60_000;
const expiring = (ms: number, more: object = {}) => ({ expires_at: new Date(clock.now() + ms).toISOString(), ...more });

/** It ended as expired, with one event, no attempt since and no queue row. */
async function expired(sender: Sender, id: string): Promise<void> {
  const { error, history } = await sender.becomes(id, "expired");
  expect(error).toMatchObject({ code: "expired", retryable: true });
  const reported = history.map(({ status }: { status: string }) => status);
  expect(reported.filter((status: string) => status !== "queued")).toEqual(["expired"]);
  const uuid = parseId("msg", id) ?? "";
  expect(await sender.rows("select kind from event where message_id = $1", [uuid])).toEqual([{ kind: "expired" }]);
  expect(await sender.rows("select 1 from dispatch where message_id = $1", [uuid])).toEqual([]);
}

describe("expires_at", () => {
  it("ends the waiting for an account, of messages tried and not tried", async () => {
    const mine = await gateway.sender();
    const [first, kept] = [person(), person()];
    // All are there before the first is refused.
    const soon = { send_at: new Date(clock.now() + 10_000).toISOString() };
    const tried = await mine.send(first, expiring(2 * MINUTE_MS, soon));
    const status = async () => (await mine.call("GET", "/v1/business-accounts")).body.data[0].status;
    const untried = await mine.send(first, expiring(2 * MINUTE_MS, soon));
    const lasting = await mine.send(kept, expiring(60 * MINUTE_MS, soon));
    simulator.setAccountLock(mine.account.wabaId, 368);
    clock.advance(10_000);
    await expect.poll(status).toBe("restricted");
    clock.advance(2 * MINUTE_MS);
    await expired(mine, tried.body.id);
    await expired(mine, untried.body.id);
    simulator.setAccountLock(mine.account.wabaId, null);
    clock.advance(5 * MINUTE_MS);
    await expect.poll(status).toBe("connected");
    clock.advance(20_000);
    await mine.becomes(lasting.body.id, "accepted");
    expect(sentTo(first).filter(({ accepted }) => accepted)).toEqual([]);
  });

  it("ends the waiting for the end of a stop of marketing", async () => {
    const mine = await gateway.sender();
    const { providerPhoneNumberId: phone_number_id } = mine.account;
    simulator.addFault({ kind: "refuse", code: 131048, phone_number_id });
    const promo = { template: { name: "promo_spring", language: { code: "en_US" } } };
    const { body } = await mine.send(person(), expiring(10 * MINUTE_MS, promo));
    await expect
      .poll(() => mine.rows("select 1 from phone_number where marketing_stopped_until is not null"))
      .toHaveLength(1);
    clock.advance(10 * MINUTE_MS);
    await expired(mine, body.id);
  });

  it("leaves alone what is under way and what has not come to its end", async () => {
    const mine = await gateway.sender();
    const [slow, later] = [person(), person()];
    simulator.addFault({ kind: "hang", accept: true, recipient: slow });
    const { body } = await mine.send(slow, expiring(MINUTE_MS));
    await expect.poll(() => sentTo(slow)).toHaveLength(1);
    const waiting = await mine.send(later, {
      ...expiring(60 * MINUTE_MS),
      send_at: new Date(clock.now() + 30 * MINUTE_MS).toISOString(),
    });
    const over = await mine.send(slow, expiring(MINUTE_MS, { send_at: new Date(clock.now() + 50_000).toISOString() }));
    const other = await theirs.send(person(), expiring(MINUTE_MS));
    await theirs.becomes(other.body.id, "accepted");
    clock.advance(2 * MINUTE_MS);
    // A round of the sweep ends one that only waits.
    await expired(mine, over.body.id);
    expect((await mine.call("GET", `/v1/messages/${waiting.body.id}`)).body.status).toBe("scheduled");
    expect((await mine.call("GET", `/v1/messages/${body.id}`)).body.status).toBe("sending");
  });
});
