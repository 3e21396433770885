import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readRoles } from "../../packages/server/src/db/migrate.ts";
import { FEATURES, findWorkOf } from "../../packages/server/src/features.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type Gateway, startGateway } from "../../packages/server/src/testing/gateway.ts";

// What a process at rest asks of its database. That it misses nothing by asking little is tested beside each kind of work.

/** The poll of the queues, the questions of the timers, the lease at every other second; and room for what comes more seldom. */
const MOST_A_SECOND = 3.5;
const SECONDS = 2;

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.sender();
});
afterAll(() => gateway.stop());

it("asks the database little while there is nothing to do", async () => {
  const asked = async (): Promise<number> => {
    // The transactions of what was written here have surely ended by then; what it is time for now comes first.
    gateway.clock.advance(16_000);
    await sleep(500);
    const before = gateway.databaseProxy.calls();
    await sleep(SECONDS * 1_000); // a rate takes time
    return (gateway.databaseProxy.calls() - before) / SECONDS;
  };
  await expect.poll(asked, { timeout: 30_000, interval: 0 }).toBeLessThanOrEqual(MOST_A_SECOND);
}, 40_000);

it("does what there is to do also while its questions cannot be answered", async () => {
  const mine = await gateway.sender();
  const inMs = (ms: number): string => new Date(gateway.clock.now() + ms).toISOString();
  const { body } = await mine.send("+15551230001", { send_at: inMs(60_000), expires_at: inMs(120_000) });
  const account = (await mine.call("GET", "/v1/business-accounts")).body.data[0];
  await mine.call("DELETE", `/v1/business-accounts/${account.id}`); // its lane is closed and ends nothing
  const { engineRole } = (await readRoles(gateway.database.url)) ?? { engineRole: "" };
  const fails = findWorkOf(FEATURES).text.replace("for asked in", "perform 1 / 0;\nfor asked in");
  await withClient(gateway.database.url, (client) =>
    client.query(
      `begin; grant "${engineRole}" to current_user; ${fails}; revoke "${engineRole}" from current_user; commit`,
    ),
  );
  gateway.clock.advance(123_000);
  expect((await mine.becomes(body.id, "expired")).error.code).toBe("expired");
});

it("has a timer for each question, and asks each by one name", () => {
  const declared = FEATURES.flatMap(({ questions }) => questions ?? []);
  const asked = gateway.features.timers.flatMap(({ asks }) => asks ?? []);
  expect(new Set(asked)).toEqual(new Set(declared));
  expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
});
