import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { person, startSenders } from "../testing/senders.ts";

const { attempts, gateway, kindsOf, mine, sentTo, theirs } = await startSenders();

const text = (to: string, more: object = {}, of = mine) =>
  of.call("POST", "/v1/messages", { body: { to, type: "text", text: { body: "On our way." }, ...more } });

describe("a text", () => {
  it("to an unknown person is 422 and creates no contact", async () => {
    const to = person();
    const reply = await text(to);
    expect([reply.status, reply.body.code, reply.body.retryable]).toEqual([422, "window_closed", false]);
    expect(await mine.rows("select 1 from contact where phone = $1", [to])).toEqual([]);
  });

  it("to a person who only received a template is 422", async () => {
    const to = person();
    const template = await mine.send(to);
    await mine.becomes(template.body.id, "accepted");
    expect((await text(to)).body.code).toBe("window_closed");
  });

  it("is sent to a person who wrote, by number or contact", async () => {
    const to = person();
    const inbound = await mine.inbound(to, "Where is it?");
    for (const name of [to, inbound.contact_id]) {
      const reply = await text(name);
      expect([reply.status, reply.body.to, reply.body.contact_id]).toEqual([202, to, inbound.contact_id]);
      await mine.becomes(reply.body.id, "accepted");
    }
  });

  it("needs a window between person and number: one with another number, or another workspace, does not count", async () => {
    const to = person();
    await theirs.inbound(to);
    expect((await text(to, {}, theirs)).status).toBe(202);
    expect((await text(to)).body.code).toBe("window_closed");
    const other = await gateway.connect(theirs);
    expect((await text(to, { from: other.phoneNumberId }, theirs)).body.code).toBe("window_closed");
  });

  it("is accepted for 24 h after the person's last message, less a minute for the clocks", async () => {
    const to = person();
    await mine.inbound(to);
    gateway.clock.advance(23 * HOUR_MS);
    await mine.inbound(to, "Still there?"); // a new day begins
    gateway.clock.advance(24 * HOUR_MS - 2 * 60_000);
    expect((await text(to)).status).toBe(202);
    gateway.clock.advance(2 * 60_000);
    expect((await text(to)).body.code).toBe("window_closed");
    await mine.inbound(to, "And now?");
    expect((await text(to)).status).toBe(202);
  });

  it("whose window closes before it is dispatched fails and is never sent", async () => {
    const to = person();
    await mine.inbound(to);
    // Its first attempt is refused for the pair's rate, and the next one is not due yet.
    gateway.simulator.addFault({ kind: "refuse", code: 131056, recipient: to });
    const reply = await text(to);
    const id = reply.body.id;
    await expect.poll(() => attempts(to)).toHaveLength(1);
    gateway.clock.advance(24 * HOUR_MS);
    const failed = await mine.becomes(id, "failed");
    expect(failed).toMatchObject({ final: true, error: { code: "window_closed", retryable: expect.any(Boolean) } });
    expect(sentTo(to).map((entry) => entry.accepted)).toEqual([false]);
    expect(await kindsOf(to)).toEqual(["failed"]);
  });

  it("scheduled past the end of its window fails at its time", async () => {
    const to = person();
    await mine.inbound(to);
    const send_at = new Date(gateway.clock.now() + 25 * HOUR_MS).toISOString();
    const reply = await text(to, { send_at });
    expect(reply.body.status).toBe("scheduled");
    gateway.clock.advance(25 * HOUR_MS + 1);
    expect(await mine.becomes(reply.body.id, "failed")).toMatchObject({ error: { code: "window_closed" } });
    expect(sentTo(to)).toEqual([]);
  });
});
