import { afterAll, expect, it } from "vitest";
import type { Log } from "../../lib/log.ts";
import { startGateway } from "../../testing/gateway.ts";
import { peopleOf } from "./testing/people.ts";

const alarms: object[] = [];
const quiet = () => undefined;
const log: Log = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: (fields: object, text: string) => void (text.startsWith("many numbers") && alarms.push(fields)),
  child: () => log,
};
const gateway = await startGateway({ API_RATE_LIMIT: "off" }, { log });
afterAll(() => gateway.stop());
const mine = await gateway.sender();
const { hear } = peopleOf(gateway, mine);

it("raises an alarm when twenty numbers have new user ids within minutes, and makes a contact of each", async () => {
  const numbers = Array.from({ length: 20 }, (_, n) => `1555779${String(n).padStart(4, "0")}`);
  const before = await Promise.all(numbers.map((number, n) => hear(number, `US.BEFORE${n}`)));
  const write = async (number: string, n: number): Promise<void> => {
    expect(before).not.toContain(await hear(number, `US.AFTER${n}`));
  };
  await Promise.all(numbers.slice(1).map(write));
  await gateway.features.services.learner.learn();
  expect(alarms).toEqual([]);
  await write(numbers[0] ?? "", 0);
  await expect.poll(() => alarms).toEqual([{ workspace_id: mine.uuid, numbers: 20 }]);
});
