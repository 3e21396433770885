import { describe, expect, test } from "vitest";
import type { Problem } from "../../problem.ts";
import { Places } from "./places.ts";

const [MINE, THEIRS] = ["mine", "theirs"];
const placesOf = (more: object = {}, isAnswering = true) =>
  new Places({ places: 3, placesOfOne: 2, waitMs: 60_000, mostWaiting: 3, ...more }, () => isAnswering);
/** What has been granted, in order. */
function asker(places: Places) {
  const granted: string[] = [];
  const refused: Problem[] = [];
  const releases: (() => void)[] = [];
  return {
    granted,
    refused,
    release: () => releases.shift()?.(),
    async ask(name: string, workspace: string): Promise<void> {
      try {
        releases.push(await places.take(workspace));
        granted.push(name);
      } catch (error) {
        refused.push(error as Problem);
      }
    },
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("places", () => {
  test("are bounded for one workspace, and for all", async () => {
    const { ask, granted, release } = asker(placesOf());
    for (const [name, workspace] of [
      ["a1", MINE],
      ["a2", MINE],
      ["a3", MINE],
      ["b1", THEIRS],
      ["b2", THEIRS],
    ] as const)
      void ask(name, workspace);
    await settled();
    expect(granted).toEqual(["a1", "a2", "b1"]);
    release(); // of a1
    await settled();
    expect(granted).toEqual(["a1", "a2", "b1", "a3"]);
    release(); // of a2
    await settled();
    expect(granted).toEqual(["a1", "a2", "b1", "a3", "b2"]);
  });

  test("go round: many waiting requests of one workspace hold up no other", async () => {
    const { ask, granted, release } = asker(placesOf({ places: 1, placesOfOne: 1 }));
    for (const name of ["a1", "a2", "a3", "a4"]) void ask(name, MINE);
    for (const name of ["b1", "b2"]) void ask(name, THEIRS);
    for (let n = 0; n < 6; n++) {
      await settled();
      release();
    }
    expect(granted).toEqual(["a1", "a2", "b1", "a3", "b2", "a4"]);
  });

  test("are refused to a workspace with too many waiting, and to who waits too long; a place that comes later is another's", async () => {
    const { ask, granted, refused, release } = asker(placesOf({ waitMs: 20 }));
    for (let n = 0; n < 6; n++) void ask(`a${n}`, MINE);
    void ask("b", THEIRS);
    await expect.poll(() => refused).toHaveLength(4);
    // None of its requests was answered while three of them waited: that is not for asking too much.
    expect(refused.map(({ code, status, extras }) => [code, status, extras.retryAfterSeconds])).toEqual([
      ["rate_limited", 429, 1],
      ...Array.from({ length: 3 }, () => ["unavailable", 503, 1]),
    ]);
    await ask("c", "third");
    expect(refused.at(-1)).toMatchObject({ code: "unavailable", status: 503 });
    release();
    await ask("c", "third");
    expect(granted).toEqual(["a0", "a1", "b", "c"]);
  });

  test("are refused for asking too much while requests of the workspace are answered, but not while the database is silent", async () => {
    for (const isAnswering of [true, false]) {
      const { ask, refused, release } = asker(placesOf({ waitMs: 60 }, isAnswering));
      for (let n = 0; n < 4; n++) void ask(`a${n}`, MINE);
      await settled();
      release();
      await expect.poll(() => refused).toHaveLength(1);
      expect(refused[0]).toMatchObject(
        isAnswering ? { code: "rate_limited", status: 429 } : { code: "unavailable", status: 503 },
      );
    }
  });
});
