import { afterAll, beforeAll, expect, test } from "vitest";
import { formatId, parseId } from "../../../lib/ids.ts";
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

const idsOf = ({ body }: { body: { data: { id: string }[] } }): string[] => body.data.map(({ id }) => id);

test("deliveries of all endpoints are one list, also of one that is deleted, and no other workspace sees them", async () => {
  const { id, call, endpoint } = await app.subscribed();
  const second = (await call("POST", PATH, { body: { url: endpoint.url, events: ["read"] } })).body;
  await app.emit(id, [{ kind: "sent" }, { kind: "read" }]);
  app.clock.advance(10);
  await app.workAll(id);
  await app.emit(id, [{ kind: "read" }]);
  const all = idsOf(await call("GET", "/v1/deliveries"));
  expect(all).toEqual(all.toSorted().toReversed());
  expect(all.length).toBe(5);
  const pages: string[] = [];
  for (let cursor = ""; pages.length < 5; ) {
    const page = await call("GET", `/v1/deliveries?limit=2${cursor}`);
    pages.push(...idsOf(page));
    cursor = `&cursor=${page.body.next_cursor}`;
  }
  expect(pages).toEqual(all);
  const of = async (query: string) => idsOf(await call("GET", `/v1/deliveries?${query}`));
  const ofSecond = await of(`webhook_endpoint_id=${second.id}`);
  expect(ofSecond).toEqual((await deliveriesOf({ call }, second.id)).map((one: { id: string }) => one.id));
  expect(ofSecond.length).toBe(2);
  expect(await of("webhook_endpoint_id=whe_none")).toEqual([]);
  await call("PATCH", `${PATH}/${second.id}`, { body: { enabled: false } });
  expect([(await of("status=parked")).length, (await of("status=pending")).length]).toEqual([1, 1]);
  await call("DELETE", `${PATH}/${second.id}`);
  expect((await of(`webhook_endpoint_id=${second.id}`)).length).toBe(1);
  expect((await of("status=succeeded")).length).toBe(3);
  const other = await app.subscribed();
  expect(idsOf(await other.call("GET", `/v1/deliveries?webhook_endpoint_id=${endpoint.id}`))).toEqual([]);
});

test("deliveries are found by the message or the person that their event is about", async () => {
  const { id, call, endpoint } = await app.subscribed();
  const mine = await app.emit(id, [{ kind: "sent" }]);
  await app.workAll(id);
  const later = await app.emit(id, [{ kind: "sent" }, { kind: "read" }]);
  const rows = await app.rows<{ id: string; message_id: string; contact_id: string }>(
    id,
    "select id, message_id, contact_id from event order by id",
  );
  for (const [event, status] of [...mine.map((one) => [one, "succeeded"]), ...later.map((one) => [one, "pending"])]) {
    const { message_id, contact_id } = rows.find((row) => row.id === event)!;
    for (const about of [
      `message_id=${formatId("msg", message_id)}`,
      `contact_id=${formatId("con" as never, contact_id)}`,
    ])
      for (const path of ["/v1/deliveries", `${PATH}/${endpoint.id}/deliveries`]) {
        const { data } = (await call("GET", `${path}?${about}`)).body;
        expect(data).toMatchObject([{ event_id: formatId("evt", event!), status }]);
        expect((await call("GET", `${path}?${about}&status=failed`)).body.data).toEqual([]);
      }
  }
  for (const nothing of ["message_id=msg_none", "contact_id=x"])
    expect(idsOf(await call("GET", `/v1/deliveries?${nothing}`))).toEqual([]);
});

test("a page of a long backlog reads no more than a page of a short one", async () => {
  const { id, call, endpoint } = await app.subscribed({ ordered: true });
  await call("PATCH", `${PATH}/${endpoint.id}`, { body: { enabled: false } });
  const waiting = 12_000;
  const text = `with events as (
       insert into event (workspace_id, id, era, kind, sequence, occurred_at, created_at)
       select $1, new_uuid($3::timestamptz + n * interval '10 milliseconds'), 1, case when n = 5 then 'rare' else 'sent' end, n, $3, $3
       from generate_series(1, $4::int) n returning id)
     insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
     select lane % 64, lane, $1, delivery_id(e.id, w.id), e.id, 1 from webhook_endpoint w, events e where w.workspace_id = $1 and w.id = $2
     order by e.id`;
  const values = [id, parseId("whe", endpoint.id), new Date(app.clock.now()), waiting];
  await app.app.db.transaction(id, (sql) => sql.run(text, values));
  const seen = new Set<string>();
  let cursor = "";
  let pages = 0;
  for (; pages < 20; pages++) {
    const { body } = await call("GET", `${PATH}/${endpoint.id}/deliveries?limit=100&status=parked${cursor}`);
    for (const one of body.data) seen.add(one.id);
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(seen.size).toBe(2_000);
  // The rare one is found, though far behind: each page ends after what it may look at.
  let found = 0;
  cursor = "";
  for (pages = 0; pages < 40; pages++) {
    const { body } = await call("GET", `/v1/deliveries?kind=rare${cursor}`);
    found += body.data.length;
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(found).toBe(1);
  expect(pages).toBeGreaterThan(4);
  expect(pages).toBeLessThan(20);
});

test("an attempt shows what was posted without its signatures, and content only to those who may read it", async () => {
  const { id, call, receiver } = await app.subscribed({ headers: { "X-Key": "of the receiver" } });
  await app.emit(id, [{ kind: "sent", text: "My secret words" }]);
  await app.workAll(id);
  const { data } = (await call("GET", "/v1/deliveries")).body;
  const { attempts } = (await call("GET", `/v1/deliveries/${data[0].id}`)).body;
  const [posted] = receiver.received;
  const { request } = attempts[0];
  expect(request.body).toBe(posted?.text);
  expect(request.body).toContain("My secret words");
  expect(posted?.headers["x-key"]).toBe("of the receiver");
  const { "x-key": own, ...headers } = request.headers;
  expect(own).toBeNull();
  for (const [name, value] of Object.entries(headers)) expect([name, posted?.headers[name]]).toEqual([name, value]);
  const left = Object.keys(posted?.headers ?? {}).filter((name) => !(name in request.headers));
  const ofTheConnection = ["accept-encoding", "connection", "content-length", "host"];
  expect(left.filter((name) => !ofTheConnection.includes(name)).sort()).toEqual([
    "webhook-signature",
    "x-service-signature",
  ]);
  const narrow = app.workspaceAs(id, ["webhooks:read"]);
  const { body } = await narrow.call("GET", `/v1/deliveries/${data[0].id}`);
  expect(body.attempts[0].request.body).not.toContain("secret");
  expect(JSON.parse(body.attempts[0].request.body).id).toBe(body.event_id);
});
