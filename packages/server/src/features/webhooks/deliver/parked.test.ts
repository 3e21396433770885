import { afterAll, beforeAll, expect, test } from "vitest";
import { PATH, startWebhooks, type WebhooksApp } from "../testing/app.ts";

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks();
});
afterAll(() => app.stop());

test.each([
  [{}, 50, null],
  [{ rate_per_second: 7 }, 7, 7],
])(
  "what was parked is delivered slowly once the endpoint is enabled again, and what comes then as ever: %j",
  async (settings, released, usual) => {
    const { id, call, endpoint, receiver } = await app.subscribed({ ...settings, events: ["delivered"] });
    const [row] = await app.rows<{ lane: number }>(id, "select lane from webhook_endpoint");
    const rate = async () => (await app.deliver.settings([row!.lane])).get(row!.lane)?.ratePerSecond;
    const enable = (enabled: boolean) => call("PATCH", `${PATH}/${endpoint.id}`, { body: { enabled } });
    await app.emit(id, [{ text: "before" }]);
    expect(await rate()).toBe(usual);
    await enable(false);
    await app.emit(id, [{ text: "parked" }]);
    app.clock.advance(1_000);
    await enable(true);
    app.clock.advance(10);
    expect(await rate()).toBe(released);
    await app.workAll(id);
    await app.emit(id, [{ text: "live" }]);
    expect(await rate()).toBe(usual);
    await call("PATCH", `${PATH}/${endpoint.id}`, { body: { description: "changed" } });
    expect(await rate()).toBe(usual);
    await app.workAll(id);
    expect(receiver.received.map(({ body }) => body.data.message.text.body)).toEqual(["before", "parked", "live"]);
  },
);
