import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FEATURES } from "../../packages/server/src/features.ts";
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

it("has a timer for each question, and asks each by one name", () => {
  const declared = FEATURES.flatMap(({ questions }) => questions ?? []);
  const asked = gateway.features.timers.flatMap(({ asks }) => asks ?? []);
  expect(new Set(asked)).toEqual(new Set(declared));
  expect(new Set(declared.map(({ name }) => name)).size).toBe(declared.length);
});
