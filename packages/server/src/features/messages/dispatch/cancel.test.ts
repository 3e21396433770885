import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { parseId } from "../../../lib/ids.ts";
import { person, startSenders } from "../testing/senders.ts";

const { gateway, mine, theirs, sentTo, attempts, kindsOf } = await startSenders({ API_RATE_LIMIT: "off" });
const inAnHour = (): string => new Date(gateway.clock.now() + HOUR_MS).toISOString();
const cancel = (id: string, of = mine, headers = {}) => of.call("POST", `/v1/messages/${id}/cancel`, { headers });
/** As a client does: on a busy machine the row may be held for longer than a request waits for it, which is 503. */
const cancelPatiently = async (id: string): ReturnType<typeof cancel> => {
  const reply = await cancel(id);
  return reply.status === 503 ? await cancelPatiently(id) : reply;
};
const queueRows = (id: string) => mine.rows("select 1 from dispatch where message_id = $1", [parseId("msg", id)]);

describe("a message that is canceled", () => {
  it("while scheduled is final, reported and audited, and is never sent", async () => {
    const to = person();
    const { body } = await mine.send(to, { send_at: inAnHour() });
    const reply = await cancel(body.id);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { id: body.id, status: "canceled", final: true, error: null, history: [{ status: "canceled" }] },
    ]);
    gateway.clock.advance(2 * HOUR_MS);
    // A later message of the person is sent: the lane has gone past the one that is gone.
    await mine.becomes((await mine.send(to)).body.id, "accepted");
    expect(sentTo(to)).toHaveLength(1);
    expect(await kindsOf(to)).toEqual(["canceled", "accepted"]);
    expect(await queueRows(body.id)).toEqual([]);
    expect(await mine.rows("select 1 from audit where action = 'message.cancel' and status = 200")).toHaveLength(1);
    const list = await mine.call("GET", "/v1/messages?status=canceled");
    expect(list.body.data).toMatchObject([{ id: body.id, status: "canceled" }]);
  });

  it("while it waits for another try lets the next one of the person go at its time", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "refuse", code: 131056, recipient: to });
    const first = await mine.send(to);
    await expect.poll(() => attempts(to)).toHaveLength(1);
    const second = await mine.send(to);
    expect((await cancel(first.body.id)).body.status).toBe("canceled");
    gateway.clock.advance(60_000);
    await mine.becomes(second.body.id, "accepted");
    gateway.clock.advance(HOUR_MS);
    expect(sentTo(to).map(({ accepted }) => accepted)).toEqual([false, true]);
    expect((await mine.call("GET", `/v1/messages/${first.body.id}`)).body.status).toBe("canceled");
  });

  it("twice, after it was sent, or by another workspace is refused and changes nothing", async () => {
    const to = person();
    const scheduled = await mine.send(to, { send_at: inAnHour() });
    expect((await cancel(scheduled.body.id, theirs)).status).toBe(404);
    const key = { "x-idempotency-key": "cancel-once" };
    const first = await cancel(scheduled.body.id, mine, key);
    expect((await cancel(scheduled.body.id, mine, key)).body).toEqual(first.body);
    expect((await cancel(scheduled.body.id)).body).toMatchObject({ code: "conflict", status: 409 });
    const sent = await mine.send(to);
    await mine.becomes(sent.body.id, "accepted");
    const refused = await cancel(sent.body.id);
    expect(refused.body).toMatchObject({ code: "conflict", detail: expect.stringContaining("accepted") });
    const inbound = await mine.inbound(to);
    expect((await cancel(inbound.id)).body.code).toBe("conflict");
  });

  it("at the moment in which it is sent is either canceled or sent, never both and never neither", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const to = person();
        const { body } = await mine.send(to);
        const { status } = await cancelPatiently(body.id);
        const end = await mine.becomes(body.id, status === 200 ? "canceled" : "accepted");
        return { to, status, end: end.status };
      }),
    );
    gateway.clock.advance(HOUR_MS);
    for (const { to, end } of outcomes) expect(sentTo(to)).toHaveLength(end === "canceled" ? 0 : 1);
    expect(outcomes.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  });
});
