import { expect, test } from "vitest";
import { inTurns } from "./in-turns.ts";

test("so many run at once, the others in their order; what was given up takes no turn, and a failure gives its own back", async () => {
  const takesTurn = inTurns(2);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const ask = (name: string, signal = new AbortController().signal): Promise<string> =>
    takesTurn(async () => {
      begun.push(name);
      await new Promise<void>((resolve, reject) =>
        ends.set(name, (error) => (error === undefined ? resolve() : reject(error))),
      );
      return "done";
    }, signal).catch((error: Error) => error.message);
  const left = new AbortController();
  const [a, b, c, d, e] = [ask("a"), ask("b"), ask("c", left.signal), ask("d"), ask("e")];
  expect(begun).toEqual(["a", "b"]);
  left.abort(new Error("left"));
  ends.get("a")?.(new Error("no answer"));
  expect(await a).toBe("no answer");
  expect(await c).toBe("left");
  expect(begun).toEqual(["a", "b", "d"]);
  ends.get("d")?.();
  expect(await d).toBe("done");
  expect(begun).toEqual(["a", "b", "d", "e"]);
  for (const end of ends.values()) end();
  expect(await Promise.all([b, e])).toEqual(["done", "done"]);
});
