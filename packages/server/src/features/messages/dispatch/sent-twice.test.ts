import { describe, expect, it } from "vitest";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import { person, startSenders } from "../testing/senders.ts";

const TEN_MINUTES_MS = 600_000;
const { gateway, mine, theirs, sentTo } = await startSenders();
/** As the metrics have it. */
const counted = async () => Number(/^waypost_sent_twice_total (\d+)$/m.exec(await gateway.app.metrics.text())?.[1]);

const tell = (id: string, status: string, opaque: string) =>
  postCallback(
    gateway,
    callbackOf(mine.account, statusOf(id, status, gateway.clock.now(), { biz_opaque_callback_data: opaque })),
  );
const audited = async (id: string) =>
  (await mine.call("GET", `/v1/audit/activity?resource=${id}&action=message.sent_twice`)).body.data;
const idOf = (to: string, index: number) => ({
  id: sentTo(to)[index]?.id ?? "",
  opaque: sentTo(to)[index]?.opaque ?? "",
});

/** A message that was sent twice, of which only the second answer is known. */
async function twice() {
  const to = person();
  gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
  const { body } = await mine.send(to, { on_unknown: "resend_once" });
  await mine.becomes(body.id, "unknown");
  gateway.clock.advance(TEN_MINUTES_MS);
  expect(await mine.becomes(body.id, "accepted")).toMatchObject({ possible_duplicate: true });
  return { id: body.id as string, first: idOf(to, 0), second: idOf(to, 1) };
}

describe("a message that was sent twice", () => {
  it("is counted and audited once when statuses of both copies arrive, in whatever number", async () => {
    const before = await counted();
    const { id, first, second } = await twice();
    expect(await audited(id)).toEqual([]); // a possible duplicate, and no evidence of one yet
    for (const status of ["sent", "delivered"]) await tell(second.id, status, second.opaque);
    // The statuses of the first copy say nothing new, but that there is one.
    for (const status of ["sent", "delivered", "sent"]) await tell(first.id, status, first.opaque);
    await mine.becomes(id, "delivered");
    await expect.poll(() => audited(id)).toHaveLength(1);
    expect((await audited(id))[0]).toMatchObject({
      actor: { type: "system" },
      resource: { type: "message", id },
      changes: { provider_message_ids: [second.id, first.id] },
    });
    expect(await counted()).toBe(before + 1);
    expect((await theirs.call("GET", "/v1/audit/activity?action=message.sent_twice")).body.data).toEqual([]);
  });

  it("is counted once when the answer to the second copy comes after the status of the first", async () => {
    const to = person();
    const before = await counted();
    gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
    const { body } = await mine.send(to, { on_unknown: "resend_once" });
    await mine.becomes(body.id, "unknown");
    gateway.simulator.addFault({ kind: "delay", delayMs: 1_500, recipient: to });
    gateway.clock.advance(TEN_MINUTES_MS);
    await expect.poll(() => sentTo(to)).toHaveLength(2);
    const { id, opaque } = idOf(to, 0);
    await tell(id, "delivered", opaque);
    await mine.becomes(body.id, "delivered");
    await expect.poll(() => audited(body.id)).toHaveLength(1);
    expect((await mine.call("GET", `/v1/messages/${body.id}`)).body.provider_message_id).toBe(id);
    expect(await counted()).toBe(before + 1);
  });
});
