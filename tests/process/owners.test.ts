import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { expectAllSentOnce, Pair } from "./pair.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await Pair.open();
});
afterEach(() => pair.endAll());
afterAll(() => pair.deployment.stop());

test("a lone process that starts on waiting work takes it up", { timeout: 60_000 }, async () => {
  const one = await pair.serve();
  // Several seconds of work for one number, most of which is left when the process stops.
  const orders = Array.from({ length: 200 }, () => pair.orderFrom(pair.workspace.numbers[0]!.phone));
  const posted = await Promise.all(orders.map((order) => pair.post(one, order)));
  await one.end("SIGTERM");
  const next = await pair.serve();
  await expectAllSentOnce(pair, next, posted);
});

test("SIGSTOP past the lease, then SIGCONT: nothing is sent twice and both go on", { timeout: 60_000 }, async () => {
  const { one, other, numberOfOne, numberOfOther } = await pair.twoOwners();
  // Answers arrive at the stopped process, and its sockets hold requests that it had started to send.
  pair.deployment.provider.addFault({ kind: "delay", delayMs: 150, count: null });
  const load = pair.keepPosting(other, [numberOfOne, numberOfOther]);
  await pair.deployment.provider.whenSent(pair.deployment.provider.stats().requests + 20);
  one.signal("SIGSTOP");
  await vi.waitFor(async () => expect([...(await pair.deployment.owners()).keys()]).toEqual([other.worker]), {
    timeout: 20_000,
    interval: 50,
  });
  const meanwhile = pair.orderFrom(numberOfOne);
  const posting = pair.post(other, meanwhile);
  await pair.arrival(meanwhile);

  one.signal("SIGCONT");
  await pair.deployment.shared(2);
  await vi.waitFor(async () => expect(await one.ready()).toBe(true), { timeout: 10_000, interval: 50 });
  // It works again: each process sends for its numbers.
  const more = pair.workspace.numbers.map(({ phone }) => pair.orderFrom(phone));
  const later = await Promise.all(more.map((order, index) => pair.post(index % 2 ? one : other, order)));
  await expectAllSentOnce(pair, other, [...(await load.stop()), await posting, ...later]);
});
