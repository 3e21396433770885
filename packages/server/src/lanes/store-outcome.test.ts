import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { manualClock } from "../testing/clock.ts";
import type { LaneClaim } from "./kind.ts";
import { storeOutcome } from "./store-outcome.ts";

const CLAIM = {} as LaneClaim; // only handed through

/** A store whose first `failures` tries fail; `patience` is how many failures it offers an outcome for. */
function storeThatFails(failures: number, patience = Number.POSITIVE_INFINITY) {
  const clock = manualClock();
  const began = clock.now();
  const tries: number[] = [];
  const judged: [unknown, LaneClaim][] = [];
  const outcome = storeOutcome(
    {
      clock,
      calls: {
        async submit(text: string) {
          tries.push(clock.now() - began);
          if (tries.length <= failures) throw new Error(`failure ${tries.length}`);
          return await Promise.resolve(`${text} stored`);
        },
      },
      offersAgain(error, _text, claim) {
        judged.push([error, claim]);
        return judged.length < patience;
      },
    },
    "outcome",
    CLAIM,
  );
  return { clock, tries, judged, outcome };
}

describe("an outcome", () => {
  it("is stored with the first try where nothing fails", async () => {
    const { tries, judged, outcome } = storeThatFails(0);
    expect(await outcome).toBe("outcome stored");
    expect(tries).toEqual([0]);
    expect(judged).toEqual([]);
  });

  it("is offered again after pauses that grow to 2 s, until it is stored", async () => {
    const { clock, tries, judged, outcome } = storeThatFails(7);
    await turn();
    await clock.pass(60_000);
    expect(await outcome).toBe("outcome stored");
    expect(tries).toEqual([0, 100, 300, 700, 1_500, 3_100, 5_100, 7_100]);
    expect(judged.at(-1)).toEqual([new Error("failure 7"), CLAIM]);
  });

  it("is null when the store gives it up, and is not tried again", async () => {
    const { clock, tries, outcome } = storeThatFails(7, 3);
    await turn();
    await clock.pass(60_000);
    expect(await outcome).toBeNull();
    expect(tries).toEqual([0, 100, 300]);
  });

  it("passes on what the store throws about a failure", async () => {
    const clock = manualClock();
    const outcome = storeOutcome(
      {
        clock,
        calls: { submit: () => Promise.reject(new Error("no such column")) },
        offersAgain(error) {
          throw error;
        },
      },
      "outcome",
      CLAIM,
    );
    await expect(outcome).rejects.toThrow("no such column");
  });
});
