import { expect, test } from "vitest";
import type { App } from "../../../ctx.ts";
import type { LaneClaim } from "../../../lanes/kind.ts";
import { type Opening, Openings } from "./openings.ts";

/** Sends that ask at once, on a clock of the test; `connect` opens the connections. */
function crowd(connect: () => Promise<void> = () => Promise.resolve()) {
  let now = 0;
  const connections = { reserved: 0 };
  const provider = {
    async reserveSend() {
      await connect();
      connections.reserved += 1;
      let ended = false;
      return {
        end(): void {
          if (!ended) connections.reserved -= 1;
          ended = true;
        },
      };
    },
  } as unknown as App["provider"]; // nothing else is called
  const openings = new Openings({ provider, clock: { now: () => now, monotonic: () => now, after: () => () => {} } });
  const open: Opening[] = [];
  const claim = { signal: new AbortController().signal } as LaneClaim; // nothing else is asked
  return {
    open,
    connections,
    async ask(count: number): Promise<void> {
      for (let n = 0; n < count; n++) void openings.begin(claim).then((opening) => open.push(opening));
      await turn();
    },
    /** The bytes of all that are open leave, each `ms` after the one before. */
    async write(ms: number): Promise<number> {
      const written = open.splice(0);
      for (const opening of written) {
        now += ms;
        opening.writing();
        opening.end();
      }
      await turn();
      return written.length;
    },
    wait: (ms: number): void => void (now += ms),
  };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("of many sends at once few are between their intents and their bytes, and more where these leave quickly", async () => {
  const { ask, write, open, connections, wait } = crowd();
  await ask(1_000);
  expect(open).toHaveLength(8);
  const waves: number[] = [];
  while (open.length > 0) waves.push(await write(1));
  expect(waves[0]).toBe(8);
  expect(waves.reduce((sum, wave) => sum + wave)).toBe(1_000);
  // Doubled after 50 ms each; so late ones, on a machine that is busy, are few.
  expect(Math.max(...waves)).toBeGreaterThan(32);
  expect(waves.slice(0, 5).every((wave) => wave <= 16)).toBe(true);
  expect(connections.reserved).toBe(0);
  // Some time later it begins again.
  wait(1_100);
  await ask(100);
  expect(open).toHaveLength(8);
});

test("a send waits for its connection before it takes the place of another", async () => {
  let connected = (): void => {};
  const slow = new Promise<void>((resolve) => (connected = resolve));
  let asked = 0;
  const { ask, write, open } = crowd(() => ((asked += 1) <= 20 ? slow : Promise.resolve()));
  await ask(20);
  expect(open).toHaveLength(0);
  await ask(5);
  expect(open).toHaveLength(5);
  await write(1);
  connected();
  await turn();
  expect(open).toHaveLength(8);
});

test("one that is not written leaves its place and its connection", async () => {
  const { ask, open, connections } = crowd();
  await ask(9);
  expect([open.length, connections.reserved]).toEqual([8, 9]);
  for (const opening of open.splice(0)) {
    opening.end();
    opening.end();
  }
  await turn();
  expect([open.length, connections.reserved]).toEqual([1, 1]);
});
