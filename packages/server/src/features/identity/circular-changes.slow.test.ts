import fc from "fast-check";
import { expect, it } from "vitest";
import { sized } from "../../testing/size.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { changeOf, peopleOf } from "./testing/people.ts";

// People who are reported to change numbers in a circle, by notices that name no user id: each moves to a number that somebody else
// wrote from. Read in the order of their times such notices are also one person who moves around the circle, so they prove nothing.

const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });
const { post, hear, seconds } = peopleOf(gateway, mine);

const PEOPLE = 4;
let runs = 0;

/** `sizes`: of the circles, at most the people there are. `order` and `again`: in which notices arrive, and which arrive twice. */
const course = fc.record({
  sizes: fc.constantFrom([2], [3], [4], [2, 2]),
  stepSeconds: fc.constantFrom(0, 1, 2, 3, 5, 60),
  order: fc.array(fc.nat(), { minLength: PEOPLE * 2, maxLength: PEOPLE * 2 }),
  again: fc.array(fc.boolean(), { minLength: PEOPLE, maxLength: PEOPLE }),
  rounds: fc.integer({ min: 1, max: 2 }),
  writesBetween: fc.boolean(),
});

it("files what people write after a circle of changes with nobody else", {
  timeout: sized(120_000, 3_600_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(course, async ({ sizes, stepSeconds, order, again, rounds, writesBetween }) => {
      runs += 1;
      const numbers = Array.from({ length: PEOPLE }, (_, n) => `1556${String(runs).padStart(5, "0")}${n}0`);
      const start = seconds() - 3_000;
      const heard: [who: number, contact: string][] = [];
      const at = Array.from({ length: PEOPLE }, (_, who) => who);
      const write = async (who: number, second: number): Promise<void> => {
        heard.push([who, await hear(numbers[at[who] ?? 0] ?? "", null, { timestamp: String(second) })]);
      };
      for (const who of at.keys()) await write(who, start - 100);
      for (let round = 0; round < rounds; round += 1) {
        const began = start + round * 1_000;
        const next = [...at];
        let first = 0;
        for (const size of sizes) {
          const members = [...at.keys()].slice(first, first + size);
          for (const [place, who] of members.entries()) next[who] = at[members[(place + 1) % size] ?? 0] ?? 0;
          first += size;
        }
        const notices = at.flatMap((from, who) => {
          const to = next[who] ?? 0;
          if (to === from) return [];
          const second = began + who * stepSeconds;
          const notice = changeOf(numbers[from] ?? "", numbers[to] ?? "", second);
          const repeated = changeOf(numbers[from] ?? "", numbers[to] ?? "", second + 1);
          return again[who] ? [notice, repeated] : [notice];
        });
        const placed = notices
          .map((notice, n) => ({ notice, place: order[n] ?? 0 }))
          .toSorted((a, b) => a.place - b.place);
        for (const { notice } of placed) await post(notice);
        await gateway.features.services.identityResolver.resolve();
        at.splice(0, at.length, ...next);
        if (writesBetween || round === rounds - 1) for (const who of at.keys()) await write(who, began + 500);
      }
      await gateway.features.services.identityResolver.resolve();
      const merged = await mine.rows<{ id: string; into: string }>(
        "select id, merged_into as into from contact where merged_into is not null",
      );
      const survivor = new Map(merged.map(({ id, into }) => [id, into]));
      const whose = new Map<string, Set<number>>();
      for (const [who, contact] of heard) {
        const id = survivor.get(contact) ?? contact;
        whose.set(id, (whose.get(id) ?? new Set()).add(who));
      }
      expect([...whose.values()].filter((people) => people.size > 1)).toEqual([]);
    }),
    { numRuns: sized(25, 1_000), endOnFailure: true },
  );
});
