import { describe, expect, it } from "vitest";
import { person, startSenders } from "../testing/senders.ts";

const { gateway, mine, theirs } = await startSenders();
const { simulator } = gateway;

/** The provider changes the number and says so by a callback. */
function change(throughput: number, quality_rating?: string): void {
  const { providerPhoneNumberId, phone, wabaId } = mine.account;
  simulator.setNumber(providerPhoneNumberId, { throughput, ...(quality_rating ? { quality_rating } : {}) });
  simulator.accountEvent({
    waba_id: wabaId,
    field: "phone_number_quality_update",
    value: { display_phone_number: phone.slice(1), event: "THROUGHPUT_UPGRADE", current_limit: "TIER_UNLIMITED" },
  });
}

async function becomes(throughput: number): Promise<void> {
  const number = async () => (await mine.call("GET", `/v1/phone-numbers/${mine.phoneNumberId}`)).body;
  await expect.poll(async () => (await number()).throughput_per_second).toBe(throughput);
}

describe("the throughput of a number", () => {
  it("follows the provider's level, with an event for each change and none for a repetition", async () => {
    change(1_000);
    await becomes(1_000);
    const [sender] = await gateway.features.services.senders.ofWorkspace(mine.uuid);
    expect([80, 1_000]).toContain(sender?.throughputPerSecond); // at most four seconds old
    change(1_000, "YELLOW");
    const changed = () =>
      mine.rows("select state->'changed' as changed from event where kind = 'phone_number_changed' order by sequence");
    await expect.poll(changed).toEqual([{ changed: ["throughput"] }, { changed: ["quality"] }]);
    expect(await mine.rows("select 1 from phone_number where throughput_per_second = 1000")).toHaveLength(1);
    expect(await theirs.rows("select 1 from phone_number where throughput_per_second = 80")).toHaveLength(1);
  });

  it("begins with few when a lane is opened, and with more for each answer", async () => {
    const { providerPhoneNumberId: number } = theirs.account;
    // Longer than forty requests take, also on a busy machine.
    simulator.addFault({ kind: "delay", delayMs: 4_000, count: 100, phone_number_id: number });
    const sent = Promise.all(Array.from({ length: 40 }, async () => (await theirs.send(person())).body.id));
    const begun = () => theirs.rows("select 1 from dispatch where workspace_id = $1 and state = 1", [theirs.uuid]);
    // All that will come before the first answer.
    await expect.poll(() => simulator.faults()[0]?.left).toBe(84);
    const ids = await sent;
    expect(await begun()).toHaveLength(16);
    simulator.clearFaults();
    for (const id of ids) await theirs.becomes(id, "accepted");
  });

  it("paces the sends without a restart: a number that the app uses too sends 20 a second", async () => {
    change(20);
    await becomes(20);
    gateway.clock.advance(5_000); // the lane's settings are read again
    await mine.becomes((await mine.send(person())).body.id, "accepted");
    const before = simulator.sent({ limit: 10_000 }).data.length;
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await mine.send(person())).body.id));
    for (const id of ids) await mine.becomes(id, "accepted");
    // Above its limit the provider would have refused some.
    expect(simulator.stats().refused[130429]).toBeUndefined();
    const times = simulator
      .sent({ limit: 10_000 })
      .data.slice(before)
      .map(({ at }) => at);
    expect(times).toHaveLength(50);
  });
});
