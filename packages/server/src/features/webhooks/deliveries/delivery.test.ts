import { afterAll, beforeAll, expect, test } from "vitest";
import { formatId } from "../../../lib/ids.ts";
import { testClaim } from "../../../testing/queue.ts";
import { deliveriesOf, PATH, startWebhooks, type WebhooksApp } from "../testing/app.ts";

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks();
});
afterAll(() => app.stop());

test("deliveries are listed newest first over both tables, in stable pages, by status, kind and time", async () => {
  const { id, call, endpoint } = await app.subscribed();
  const start = app.clock.now();
  const kinds = ["sent", "delivered", "read", "sent", "delivered", "read", "sent"];
  for (const kind of kinds) {
    app.clock.advance(1_000);
    await app.emit(id, [{ kind }]);
  }
  const rows = await app.queue(id);
  for (const row of rows.filter((_, index) => index % 2 === 0)) await app.deliver.work(row, testClaim());
  const all = await deliveriesOf({ call }, endpoint.id);
  expect(all.map((delivery: { id: string }) => delivery.id)).toEqual(
    rows.map((row) => formatId("dlv", row.itemId)).toReversed(),
  );
  const paged: string[] = [];
  let cursor = "";
  for (let pages = 0; pages < 4; pages++) {
    const { body } = await call("GET", `${PATH}/${endpoint.id}/deliveries?limit=2${cursor}`);
    paged.push(...body.data.map((delivery: { id: string }) => delivery.id));
    // Arrives while we read: it is before the first page.
    await app.emit(id, [{}]);
    cursor = `&cursor=${body.next_cursor}`;
    if (body.next_cursor === null) break;
  }
  expect(paged).toEqual(all.map((delivery: { id: string }) => delivery.id));
  const count = async (query: string) => (await deliveriesOf({ call }, endpoint.id, query)).length;
  expect(await count("?status=succeeded")).toBe(4);
  expect(await count("?status=pending&kind=read")).toBe(1);
  expect(await count("?kind=read")).toBe(2);
  const at = (seconds: number): string => encodeURIComponent(new Date(start + seconds * 1_000).toISOString());
  expect(await count(`?created_after=${at(2)}&created_before=${at(5)}`)).toBe(2);
  expect(await count("?status=parked")).toBe(0);
  expect((await call("GET", `${PATH}/${endpoint.id}/deliveries?status=lost`)).status).toBe(400);
});
