import { readFileSync } from "node:fs";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../features/webhooks/testing/receiver.ts";
import { callbackOf, postCallback, statusOf, textFrom } from "../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../testing/gateway.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let receiver: Receiver;

const TO = ["+15551230101", "+15551230102", "+15551230103"] as const;
const LOST = "+15551230104";

/** What happens once before the tests: sends of two workspaces, one of them lost, a callback each way, and deliveries. */
beforeAll(async () => {
  gateway = await startGateway({ METRICS_PORT: "0" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  receiver = await startReceiver();
  await gateway.sender({ business_id: "81001", messaging_limit: "TIER_50" });
  const body = { url: receiver.url, events: ["accepted"] };
  expect((await mine.call("POST", "/v1/webhook-endpoints", { body })).status).toBe(201);
  expect((await theirs.call("POST", "/v1/webhook-endpoints", { body: { ...body, enabled: false } })).status).toBe(201);
  const sent = await Promise.all(TO.map((to) => mine.send(to)));
  await theirs.send(TO[0]);
  gateway.simulator.addFault({ kind: "reset", accept: true, recipient: LOST });
  const lost = await mine.send(LOST);
  await Promise.all(sent.map(({ body: message }) => mine.becomes(message.id, "accepted")));
  await mine.becomes(lost.body.id, "unknown");
  await receiver.got(TO.length);
  const now = gateway.clock.now();
  await postCallback(gateway, callbackOf(mine.account, textFrom("15551230101", "wamid.metrics", "Hi", now)));
  await postCallback(gateway, { object: "whatsapp_business_account", entry: [{ id: "0", changes: [] }] });
  await postCallback(gateway, {}, "sha256=00");
});
afterAll(async () => {
  await receiver.close();
  await gateway.stop();
});

const scrape = async (path = "/metrics", method = "GET") => {
  const response = await fetch(new URL(path, gateway.metricsUrl ?? ""), { method });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
};
const ours = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("waypost_"));
/** The value of one series, as it stands in the text. */
const valueOf = (text: string, series: string): string | undefined =>
  ours(text)
    .find((line) => line.startsWith(`${series} `))
    ?.split(" ")
    .at(-1);
const seriesOf = async (series: string): Promise<string | undefined> => valueOf((await scrape()).text, series);

describe("/metrics", () => {
  it("is in the text format of Prometheus, with the process's own figures", async () => {
    const { status, type, text } = await scrape();
    expect(status).toBe(200);
    expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain("\nnodejs_eventloop_lag_p99_seconds ");
    expect(text).toContain("\nprocess_resident_memory_bytes ");
  });

  it.each([
    ["waypost_http_answers_total", { status: "4xx" }, "1"],
    ["waypost_database_batch_rows_sum", { function: "accept_messages" }, "5"],
    ["waypost_provider_calls_total", { operation: "send", outcome: "ok" }, "4"],
    ["waypost_provider_calls_total", { operation: "send", outcome: "lost" }, "1"],
    ["waypost_provider_calls_total", { operation: "get_account", outcome: "ok" }, "3"],
    ["waypost_provider_call_seconds_count", { operation: "send" }, "5"],
    ["waypost_sends_total", { outcome: "accepted" }, "4"],
    ["waypost_sends_total", { outcome: "unknown" }, "1"],
    ["waypost_callbacks_total", { way: "at_once" }, "1"],
    ["waypost_callbacks_total", { way: "queue" }, "1"],
    ["waypost_callbacks_total", { way: "unsigned" }, "1"],
    ["waypost_slots_owned", { kind: "dispatch" }, "64"],
    ["waypost_database_waiting", { pool: "work" }, "0"],
    ["waypost_portfolios", { room: "above_half" }, "1"],
    ["waypost_portfolios", { room: "none" }, "0"],
    ["waypost_lanes_resting", { kind: "deliver" }, "0"],
    ["waypost_webhook_endpoints", { status: "active" }, "1"],
    ["waypost_webhook_endpoints", { status: "failing" }, "0"],
    ["waypost_webhook_endpoints", { status: "disabled" }, "1"],
  ])("%s %j is %s", async (name, labels, value) => {
    const inBraces = Object.entries(labels).map(([label, of]) => `${label}="${of}"`);
    await expect.poll(() => seriesOf(`${name}{${inBraces.join(",")}}`)).toBe(value);
  });

  it.each([
    ["waypost_lease_valid", "1"],
    ["waypost_database_up", "1"],
    ["waypost_sent_twice_total", "0"],
    ["waypost_deliveries_parked", "1"],
  ])("%s is %s", async (series, value) => {
    expect(await seriesOf(series)).toBe(value);
  });

  it("counts deliveries when their outcome is stored", async () => {
    await expect.poll(() => seriesOf('waypost_deliveries_total{outcome="succeeded"}')).toBe("3");
    expect(await seriesOf("waypost_delivery_seconds_count")).toBe("3");
  });

  it("counts a message with two ids at the provider as sent twice", async () => {
    const sent = await mine.send("+15551230109");
    const { provider_message_id: id } = await mine.becomes(sent.body.id, "accepted");
    const opaque = gateway.simulator.sent().data.find((one) => one.id === id)?.opaque ?? "";
    const again = statusOf("wamid.again", "sent", gateway.clock.now(), { biz_opaque_callback_data: opaque });
    await postCallback(gateway, callbackOf(mine.account, again));
    await expect.poll(() => seriesOf("waypost_sent_twice_total")).toBe("1");
  });

  it("shows rows that wait, and since when", async () => {
    gateway.simulator.addFault({ kind: "delay", delayMs: 2_000, recipient: "+15551230110" });
    await mine.send("+15551230110");
    await mine.send("+15551230110");
    await expect.poll(() => seriesOf('waypost_lane_rows{kind="dispatch",state="in_flight"}')).toBe("1");
    expect(await seriesOf('waypost_lane_rows{kind="dispatch",state="waiting"}')).toBe("1");
    expect(await seriesOf('waypost_lanes_overflowing{kind="dispatch"}')).toBe("0");
    gateway.clock.advance(30_000);
    expect(Number(await seriesOf('waypost_lane_oldest_row_seconds{kind="dispatch"}'))).toBeGreaterThanOrEqual(30);
  });

  it("has no id, number or secret of a workspace", async () => {
    const { text } = await scrape();
    for (const { id, uuid, key, phoneNumberId, account } of [mine, theirs]) {
      for (const secret of [id, uuid, key, phoneNumberId, account.wabaId, account.providerPhoneNumberId, account.token])
        expect(text).not.toContain(secret);
      expect(text).not.toContain(account.phone.slice(1));
    }
    for (const to of [...TO, LOST]) expect(text).not.toContain(to.slice(1));
  });

  it("has the same series whoever sends: no label grows with traffic", async () => {
    const before = ours((await scrape()).text).map((line) => line.replace(/ \S+$/, ""));
    const other = await gateway.sender();
    const { body } = await other.send("+15551230120");
    await other.becomes(body.id, "accepted");
    const after = ours((await scrape()).text).map((line) => line.replace(/ \S+$/, ""));
    expect(after.filter((line) => !before.includes(line))).toEqual([]);
  });

  it("is documented: docs/operations.md lists these metrics and no others", async () => {
    const listed = [
      ...readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8").matchAll(
        /^\| `(waypost_\w+)/gm,
      ),
    ].map(([, name]) => name);
    const { text } = await scrape();
    const served = [...text.matchAll(/^# TYPE (waypost_\w+)/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(served.toSorted());
  });
});

describe("the port of /metrics", () => {
  it.each([
    ["/", "GET", 404],
    ["/v1/messages", "GET", 404],
    ["/healthz", "GET", 404],
    ["/metrics", "POST", 405],
    ["/metrics?x=1", "GET", 200],
  ])("answers %s %s with %i", async (path, method, status) => {
    expect((await scrape(path, method)).status).toBe(status);
  });

  it("answers HEAD without a body", async () => {
    expect(await scrape("/metrics", "HEAD")).toMatchObject({ status: 200, text: "" });
  });

  it("does not end for a request that is none", async () => {
    const { hostname, port } = new URL(gateway.metricsUrl ?? "");
    const status = await new Promise((resolve) => {
      request({ hostname, port, path: "//", method: "GET" }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(404);
    expect((await scrape()).status).toBe(200);
  });

  it("is the only place of the metrics", async () => {
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(404);
  });
});

describe("with the database away", () => {
  afterAll(() => gateway.databaseProxy.mend());

  it("a scrape says so, and everything that it knows itself", async () => {
    gateway.databaseProxy.cut();
    await expect.poll(() => seriesOf("waypost_database_up")).toBe("0");
    const { status, text } = await scrape();
    expect(status).toBe(200);
    expect(text).not.toMatch(/^waypost_queue_rows\{/m);
    expect(valueOf(text, 'waypost_sends_total{outcome="unknown"}')).toBe("1");
    gateway.databaseProxy.mend();
    await expect.poll(() => seriesOf("waypost_database_up")).toBe("1");
    expect(await seriesOf('waypost_queue_rows{kind="dispatch"}')).toMatch(/^\d+$/);
  });
});

describe("without METRICS_PORT", () => {
  it("nothing listens", async () => {
    const other = await startGateway();
    expect(other.metricsUrl).toBeNull();
    await other.stop();
  });
});
