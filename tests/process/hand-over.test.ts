import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { expectAllSentOnce, Pair } from "./pair.ts";

// How soon: the bounds of a second hold where the machine has time to spare, so this file runs beside few others.

/** Length of a lease where nothing else is configured. */
const REAL_LEASE_S = 12;

let pair: Pair;
beforeAll(async () => {
  pair = await Pair.open();
});
afterEach(() => pair.endAll());
afterAll(() => pair.deployment.stop());

test("SIGTERM: slots released within a second, their new owner sends at once, exit code 0, nothing lost or doubled", {
  timeout: 60_000,
}, async () => {
  const { one, other, numberOfOne, numberOfOther } = await pair.twoOwners();
  // Some answers come while the process drains, some only after its slots are gone.
  pair.deployment.provider.addFault({ kind: "delay", delayMs: 150, count: null });
  const load = pair.keepPosting(other, [numberOfOne, numberOfOther]);
  await pair.deployment.provider.whenSent(20);
  const late = pair.orderFrom(numberOfOne);
  pair.deployment.provider.clearFaults();
  pair.deployment.provider.addFault({ kind: "delay", delayMs: 1_500, recipient: late.to });
  const lately = pair.post(other, late);
  await pair.arrival(late);

  const asked = performance.now();
  const ended = one.end("SIGTERM");
  await vi.waitFor(async () => expect((await pair.deployment.owners()).has(one.worker)).toBe(false), {
    timeout: 10_000,
    interval: 10,
  });
  const released = performance.now();
  expect(released - asked).toBeLessThan(1_000);
  const next = pair.orderFrom(numberOfOne);
  const posting = pair.post(other, next);
  await pair.arrival(next);
  expect(performance.now() - released).toBeLessThan(1_000);
  expect(await ended).toEqual({ code: 0, signal: null });
  await expectAllSentOnce(pair, other, [...(await load.stop()), await lately, await posting]);
});

test("kill -9 of one of two: its lanes go on in the other within 15 s, the other's meanwhile", {
  timeout: 60_000,
}, async () => {
  const { one, other, numberOfOne, numberOfOther } = await pair.twoOwners({ leaseSeconds: REAL_LEASE_S });
  await one.end("SIGKILL");
  const killed = performance.now();
  const [orphan, neighbour] = [pair.orderFrom(numberOfOne), pair.orderFrom(numberOfOther)];
  const posted = await Promise.all([pair.post(other, orphan), pair.post(other, neighbour)]);
  await pair.arrival(neighbour);
  expect(performance.now() - killed).toBeLessThan(1_000);
  await pair.arrival(orphan);
  expect(performance.now() - killed).toBeLessThan(15_000);
  await expectAllSentOnce(pair, other, posted);
});
