import { beforeEach, describe, expect, it } from "vitest";
import { readRoles } from "../../db/migrate.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/duration.ts";
import { callbackOf, postCallback, statusOf } from "../../testing/callback.ts";
import { withClient } from "../../testing/client.ts";
import type { Sender } from "../../testing/gateway.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import { countAllMessages } from "./counting.ts";
import { percentile } from "./metrics.ts";

const { gateway, theirs } = await startSenders();

let mine: Sender;
const now = () => gateway.clock.now();
const iso = (ms: number): string => new Date(ms).toISOString();
const beginOf = (ms: number, lengthMs: number): string => iso(Math.floor(ms / lengthMs) * lengthMs);

/** Of what the oldest transaction that runs lets be seen: others of the cluster run too. */
const metrics = async (query = "", of: Sender = mine) => {
  await countAllMessages(gateway.app);
  const { status, body } = await of.call("GET", `/v1/metrics/messages${query}`);
  expect(status).toBe(200);
  return body.data;
};
/** Value and count of each group, in any order. */
const counts = async (group: string, more = "", of: Sender = mine) =>
  (await metrics(`?group_by=${group}${more}`, of))
    .map((entry: Record<string, unknown>) => [entry[group], entry["count"]])
    .toSorted();

const report = (wamid: string, status: string, at = now(), more: object = {}) =>
  postCallback(gateway, callbackOf(mine.account, statusOf(wamid, status, at, more)));

async function accepted(more: object = {}): Promise<string> {
  const { body } = await mine.send(person(), more);
  return (await mine.becomes(body.id, "accepted")).provider_message_id;
}
const failure = { errors: [{ code: 131_026, title: "Message undeliverable" }] };

describe("GET /v1/metrics/messages", () => {
  beforeEach(async () => {
    // The middle of an hour: what a test does stays in one of each interval.
    gateway.clock.advance(HOUR_MS + 30 * MINUTE_MS + 10_000 - (gateway.clock.now() % HOUR_MS));
    mine = await gateway.sender();
  });

  it("counts each status where it was reached, for each grouping and of the caller's workspace alone", async () => {
    const to = person();
    await mine.inbound(to);
    const [first, second] = [await accepted(), await accepted()];
    await mine.becomes(
      (await mine.call("POST", "/v1/messages", { body: { to, type: "text", text: { body: "Hi" } } })).body.id,
      "accepted",
    );
    for (const status of ["sent", "delivered", "read", "played"]) await report(first, status);
    await report(second, "failed", now(), failure);

    await expect
      .poll(() => counts("status"))
      .toEqual([
        ["accepted", 3],
        ["delivered", 1],
        ["failed", 1],
        ["read", 1],
        ["received", 1],
        ["sent", 1],
      ]);
    await expect
      .poll(() => counts("category"))
      .toEqual([
        [null, 2],
        ["utility", 2],
      ]);
    await expect
      .poll(() => counts("template"))
      .toEqual([
        [null, 2],
        ["order_ready", 2],
      ]);
    await expect.poll(() => counts("phone_number_id")).toEqual([[mine.phoneNumberId, 4]]);
    await expect.poll(() => counts("error_code")).toEqual([["recipient_unreachable", 1]]);
    const [total] = await metrics();
    expect(total).toEqual({
      at: beginOf(now(), HOUR_MS),
      count: 4,
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
    });
    await expect.poll(() => counts("status", "", theirs)).toEqual([]);
    await expect.poll(() => counts("status", `&phone_number_id=${theirs.phoneNumberId}`)).toEqual([]);
    await expect.poll(() => counts("status", "&phone_number_id=num_x")).toEqual([]);
    await expect.poll(() => counts("error_code", `&phone_number_id=${mine.phoneNumberId}`)).toHaveLength(1);
  });

  it("counts once, however often it looks, and puts what is reported late where it happened", async () => {
    const wamid = await accepted();
    await Promise.all([counts("status"), counts("status"), countAllMessages(gateway.app)]);
    const at = now();
    gateway.clock.advance(HOUR_MS);
    await report(wamid, "read", at + 6 * MINUTE_MS);
    await report(wamid, "read", at + 6 * MINUTE_MS);
    // The provider's clock is wrong: nothing is delivered before it is there, or later than now.
    await report(wamid, "sent", at - DAY_MS);
    await report(wamid, "delivered", now() + DAY_MS);
    const all = (interval: string) =>
      metrics(`?group_by=status&interval=${interval}`).then((data) =>
        data.map(({ at: begin, status, count }: Record<string, unknown>) => [begin, status, count]),
      );
    const of = (ms: number, lengthMs: number, status: string) => [beginOf(ms, lengthMs), status, 1];
    await expect
      .poll(() => all("5m"))
      .toEqual([
        of(now(), 5 * MINUTE_MS, "delivered"),
        of(at + 6 * MINUTE_MS, 5 * MINUTE_MS, "read"),
        of(at, 5 * MINUTE_MS, "accepted"),
        of(at, 5 * MINUTE_MS, "sent"),
      ]);
    await expect
      .poll(() => all("1h"))
      .toEqual([
        of(now(), HOUR_MS, "delivered"),
        ...["accepted", "read", "sent"].map((status) => of(at, HOUR_MS, status)),
      ]);
  });

  it("says how long it took from accepted to delivered", async () => {
    const wamids = await Promise.all([1, 2, 3, 4].map(() => accepted()));
    gateway.clock.advance(200_000);
    for (const [index, wamid] of wamids.entries()) await report(wamid, "delivered", now() - index * 40_000);
    await expect.poll(() => counts("status")).toContainEqual(["delivered", 4]);
    const delivered = (await metrics("?group_by=status")).find(
      ({ status }: { status: string }) => status === "delivered",
    );
    expect(delivered).toMatchObject({ status: "delivered", count: 4 });
    expect(Math.abs(delivered.p50_ms / 120_000 - 1)).toBeLessThan(0.08);
    expect(Math.abs(delivered.p95_ms / 200_000 - 1)).toBeLessThan(0.08);
    expect((await metrics("?group_by=template"))[0]).toMatchObject({
      template: "order_ready",
      p50_ms: delivered.p50_ms,
    });
  });

  it("misses nothing that commits late, and counts it once", async () => {
    await accepted();
    await expect.poll(() => counts("status")).toEqual([["accepted", 1]]);
    await withClient(gateway.database.url, async (client) => {
      await client.query("begin");
      await client.query("select pg_current_xact_id()"); // the oldest that runs
      const later = await accepted();
      await report(later, "delivered");
      await expect.poll(() => counts("status")).toEqual([["accepted", 1]]);
      await client.query("commit");
    });
    await expect
      .poll(() => counts("status"))
      .toEqual([
        ["accepted", 2],
        ["delivered", 1],
      ]);
  });

  it("takes any time, and refuses what is none", async () => {
    const of = async (query: string) => {
      const { status, body } = await mine.call("GET", `/v1/metrics/messages?${query}`);
      return [status, body.errors?.[0].pointer];
    };
    expect(await of("interval=5m&at_after=1970-01-01T00:00:00Z")).toEqual([200, undefined]);
    expect(await of("at_before=yesterday")).toEqual([400, "?at_before"]);
    expect(await of("interval=1m")).toEqual([400, "?interval"]);
    expect(await of("group_by=contact_id")).toEqual([400, "?group_by"]);
    expect(await of(`at_after=${iso(now())}&at_before=${iso(now() - DAY_MS)}`)).toEqual([200, undefined]);
  });

  it("adds up a bounded number of counts", async () => {
    const { appRole } = (await readRoles(gateway.database.url)) ?? { appRole: "" };
    await withClient(gateway.database.url, (client) => client.query(`grant insert on metric to "${appRole}"`));
    const fill = (templates: number) =>
      gateway.app.db.transaction(mine.uuid, (sql) =>
        sql.run(
          `insert into metric (workspace_id, series, span, at, resource_id, value, bin, count)
           select $1, 'template', 5, $2::timestamptz, $1, 'template ' || n, -1, 1 from generate_series(1, $3::int) n on conflict do nothing`,
          [mine.uuid, beginOf(now(), 5 * MINUTE_MS), templates],
        ),
      );
    const asked = async () => (await mine.call("GET", "/v1/metrics/messages?interval=5m&group_by=template")).status;
    await fill(20_000);
    expect(await asked()).toBe(200);
    await fill(20_001);
    expect(await asked()).toBe(400);
  });

  it("needs the scope of messages", async () => {
    const { call } = await gateway.workspace(["webhooks:read"]);
    expect((await call("GET", "/v1/metrics/messages")).status).toBe(403);
  });

  it("keeps short intervals for a week and longer ones for longer", async () => {
    await accepted();
    await expect.poll(() => counts("status")).toEqual([["accepted", 1]]);
    const at = now();
    const left = async () =>
      (await mine.rows<{ span: number }>("select distinct span from metric order by 1")).map(({ span }) => span);
    const retain = gateway.features.timers.find(({ name }) => name === "retention");
    const after = async (days: number) => {
      gateway.clock.advance(at + days * DAY_MS - now());
      await retain?.run();
      return await left();
    };
    expect(await after(7)).toEqual([5, 60, 1_440]);
    expect(await after(9)).toEqual([60, 1_440]);
    expect(await after(93)).toEqual([1_440]);
  });
});

it("takes the time below which a share of them lies", () => {
  expect(percentile({ bins: [], in_bins: [] }, 0.5)).toBe(null);
  expect(percentile({ bins: [0], in_bins: [1] }, 0.95)).toBe(1);
  expect(percentile({ bins: [10, 50], in_bins: [95, 5] }, 0.5)).toBe(2);
  expect(percentile({ bins: [10, 50], in_bins: [95, 5] }, 0.95)).toBe(2);
  expect(percentile({ bins: [10, 50], in_bins: [94, 6] }, 0.95)).toBe(112);
});
