import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../lib/duration.ts";
import { type Gateway, startGateway, type Workspace } from "../../testing/gateway.ts";
import { type Receiver, startReceiver } from "../webhooks/testing/receiver.ts";
import { countAllAttempts } from "./counting.ts";

let gateway: Gateway;
let receiver: Receiver;
let mine: Workspace;
beforeAll(async () => {
  gateway = await startGateway();
  receiver = await startReceiver();
  mine = await gateway.workspace();
  // The middle of an hour: all attempts are in one of each interval.
  gateway.clock.advance(HOUR_MS + 30 * MINUTE_MS + 10_000 - (gateway.clock.now() % HOUR_MS));
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const endpoint = async (): Promise<string> => {
  const { status, body } = await mine.call("POST", "/v1/webhook-endpoints", {
    body: { url: receiver.url, events: ["*"] },
  });
  expect(status).toBe(201);
  return body.id;
};
const test = (id: string) => mine.call("POST", `/v1/webhook-endpoints/${id}/test`);

const metrics = async (query = "", of: Workspace = mine) => {
  await countAllAttempts(gateway.app);
  const { status, body } = await of.call("GET", `/v1/metrics/deliveries${query}`);
  expect(status).toBe(200);
  return body.data;
};
const counts = async (group: string, more = "") =>
  (await metrics(`?group_by=${group}${more}`))
    .map((entry: Record<string, unknown>) => [entry[group], entry["count"]])
    .toSorted();

it("counts each attempt once, by how it ended and by endpoint, of the caller's workspace alone", async () => {
  const [first, second] = [await endpoint(), await endpoint()];
  let answered = 0;
  receiver.answer((response) => void response.writeHead((answered += 1) === 1 ? 400 : 200).end());
  await test(first);
  await expect.poll(() => counts("status")).toEqual([["failed", 1]]);
  // Its retry.
  gateway.clock.advance(7_000);
  await receiver.got(2);
  await test(second);
  await receiver.got(3);
  const wanted = [
    ["failed", 1],
    ["succeeded", 2],
  ];
  await expect.poll(() => counts("status")).toEqual(wanted);
  // Several processes add up.
  await Promise.all([1, 2, 3].map(() => countAllAttempts(gateway.app)));
  expect(await counts("status")).toEqual(wanted);
  expect(await counts("webhook_endpoint_id")).toEqual(
    [
      [first, 2],
      [second, 1],
    ].toSorted(),
  );
  expect(await counts("status", `&webhook_endpoint_id=${second}`)).toEqual([["succeeded", 1]]);
  expect(await counts("status", "&webhook_endpoint_id=whe_x")).toEqual([]);
  for (const interval of ["5m", "1h", "1d"])
    expect(await metrics(`?interval=${interval}`)).toEqual([
      { at: expect.any(String), count: 3, p50_ms: expect.any(Number), p95_ms: expect.any(Number) },
    ]);

  const theirs = await gateway.workspace();
  expect(await metrics("", theirs)).toEqual([]);
  expect(await metrics(`?webhook_endpoint_id=${first}`, theirs)).toEqual([]);
});

it("counts attempts that are asked for, also of a delivery that has ended", async () => {
  const id = await endpoint();
  receiver.answer((response) => void response.end());
  const { body: delivery } = await test(id);
  const path = `/v1/deliveries/${delivery.id}`;
  await expect.poll(async () => (await mine.call("GET", path)).body.status).toBe("succeeded");
  receiver.answer((response) => void response.writeHead(400).end());
  expect((await mine.call("POST", `${path}/retry`)).status).toBe(202);
  const wanted = [
    ["failed", 1],
    ["succeeded", 1],
  ];
  await expect.poll(() => counts("status", `&webhook_endpoint_id=${id}`)).toEqual(wanted);
});

it("says how long attempts took", async () => {
  const id = await endpoint();
  const got = receiver.received.length;
  receiver.answer((response) => void setTimeout(() => response.end(), 300));
  await test(id);
  await receiver.got(got + 1);
  const query = `?webhook_endpoint_id=${id}`;
  await expect.poll(() => metrics(query)).toMatchObject([{ count: 1 }]);
  const [{ p50_ms, p95_ms }] = await metrics(query);
  expect(p50_ms).toBeGreaterThan(300 * 0.95);
  expect(p95_ms).toBe(p50_ms);
});

it("needs the scope of webhooks", async () => {
  const { call } = await gateway.workspace(["messages:read"]);
  expect((await call("GET", "/v1/metrics/deliveries")).status).toBe(403);
});
