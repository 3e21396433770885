import { afterAll, expect, it } from "vitest";
import { DAY_MS } from "../../lib/duration.ts";
import { formatId } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { type Sender, startGateway } from "../../testing/gateway.ts";
import { IdentityResolver } from "./resolver.ts";
import { PATIENCE, peopleOf } from "./testing/people.ts";

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
const [mine, theirs] = [await gateway.sender(), await gateway.sender()];
const { hear } = peopleOf(gateway, mine);
/** As of two processes, which know nothing of each other. */
const resolvers = [gateway.features.services.identityResolver, new IdentityResolver(gateway.app)];

const learned = () => Promise.all(resolvers.map((identityResolver) => identityResolver.resolve()));

let people = 0;
/** Somebody with a user id writes from a number that so far was only written to: two records of one person. */
async function pairOf(sender: Sender): Promise<{ survivors: () => Promise<number> }> {
  const { hear: hearOf, get } = peopleOf(gateway, sender);
  const number = `1555778${String((people += 1)).padStart(4, "0")}`;
  const known = formatId("con", await hearOf(null, `US.PAIR${people}`));
  const written = (await sender.send(`+${number}`)).body.contact_id;
  expect(written).not.toBe(known);
  await hearOf(number, `US.PAIR${people}`);
  await learned();
  return { survivors: async () => new Set([(await get(known)).id, (await get(written)).id]).size };
}

it("twenty numbers with new user ids within minutes raise one alarm, and nobody is joined in their portfolio until a day after the last twenty", async () => {
  const numbers = Array.from({ length: 20 }, (_, n) => `1555779${String(n).padStart(4, "0")}`);
  const [first = "", ...others] = numbers;
  const before = await Promise.all(numbers.map((number, n) => hear(number, `US.BEFORE${n}`)));
  const write = async (number: string, userId: string): Promise<void> => {
    expect(before).not.toContain(await hear(number, userId));
    await learned();
  };
  await Promise.all(others.map((number, n) => write(number, `US.AFTER${n}`)));
  // One number counts once.
  await write(others[0] ?? "", "US.AGAIN");
  const early = await pairOf(mine);
  await expect.poll(early.survivors, PATIENCE).toBe(1);
  expect(alarms).toEqual([]);

  await write(first, "US.AFTER");
  await expect.poll(() => alarms, PATIENCE).toEqual([{ workspace_id: mine.uuid }]);
  const [stopped, free] = [await pairOf(mine), await pairOf(theirs)];
  await expect.poll(free.survivors, PATIENCE).toBe(1);

  gateway.clock.advance(DAY_MS / 2);
  await Promise.all(numbers.map((number, n) => write(number, `US.LATER${n}`)));
  await learned();
  gateway.clock.advance(DAY_MS - 60_000);
  await learned();
  expect(await stopped.survivors()).toBe(2);
  gateway.clock.advance(120_000);
  await learned();
  await expect.poll(stopped.survivors, PATIENCE).toBe(1);
  expect(alarms).toHaveLength(1);
});
