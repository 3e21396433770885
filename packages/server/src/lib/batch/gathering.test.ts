import { describe, expect, test } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { Gathering } from "./gathering.ts";

/** Rows are as long as their names. */
function gathering(bounds: { rows?: number; characters?: number } = {}) {
  const clock = manualClock();
  const left: string[][] = [];
  let turn: string[] | null = null;
  const calls = {
    submit(row: string): Promise<string> {
      if (turn === null) {
        turn = [];
        left.push(turn);
        queueMicrotask(() => (turn = null));
      }
      turn.push(row);
      return row === "bad" ? Promise.reject(new Error("refused")) : Promise.resolve(`${row} stored`);
    },
  };
  const size = (row: string): number => row.length;
  return { clock, left, gathering: new Gathering({ calls, clock, ms: 30, rows: 3, characters: 20, size, ...bounds }) };
}

describe("rows that nobody waits for", () => {
  test("leave together, when the first has waited for its time, and each gets its own answer", async () => {
    const { clock, left, gathering: all } = gathering();
    const answers = [all.submit("a")];
    clock.advance(29);
    answers.push(all.submit("b"));
    expect(left).toEqual([]);
    clock.advance(1);
    expect(await Promise.all(answers)).toEqual(["a stored", "b stored"]);
    expect(left).toEqual([["a", "b"]]);
    void all.submit("c");
    clock.advance(29);
    expect(left).toHaveLength(1);
    clock.advance(1);
    expect(left).toEqual([["a", "b"], ["c"]]);
  });

  test.each([
    ["are as many as may wait", ["a", "b", "c"]],
    ["have as many characters as may wait", ["a row of ten", "and another"]],
  ])("leave at once when they %s", async (_, rows) => {
    const { left, gathering: all } = gathering();
    await Promise.all(rows.map((row) => all.submit(row)));
    expect(left).toEqual([rows]);
  });

  test("get their own errors", async () => {
    const { gathering: all } = gathering({ rows: 2 });
    const [good, bad] = await Promise.allSettled([all.submit("good"), all.submit("bad")]);
    expect([good.status, bad.status]).toEqual(["fulfilled", "rejected"]);
  });

  test("leave when they are told to, and not a second time", async () => {
    const { clock, left, gathering: all } = gathering();
    const answer = all.submit("a");
    all.leave();
    all.leave();
    clock.advance(30);
    expect(await answer).toBe("a stored");
    expect(left).toEqual([["a"]]);
  });
});
