import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Runtime, start } from "../../packages/server/src/process/runtime.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { manualClock, type StillClock } from "../../packages/server/src/testing/clock.ts";
import { type Gateway, startGateway, type Workspace } from "../../packages/server/src/testing/gateway.ts";
import { PATIENCE } from "../../packages/server/src/testing/patience.ts";

const LIMIT = 100;

describe("two processes on one database", () => {
  let clock: StillClock;
  let first: Gateway;
  let second: Runtime;
  let workspace: Workspace;
  beforeAll(async () => {
    clock = manualClock();
    first = await startGateway({ API_RATE_LIMIT: String(LIMIT) }, { clock, roles: ["api", "maintenance"] });
    second = await start({ config: first.app.config, roles: ["api"], migrate: false, clock });
  });
  beforeEach(async () => {
    workspace = await first.workspace();
    // Each learns of the other with a beat of its lease.
    for (const url of [first.url, second.url])
      await vi.waitFor(async () => expect(await policyAt(url)).toBe(LIMIT / 2), PATIENCE);
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
  });

  const ask = (url: string) => callAs(url, workspace.key)("GET", "/v1/workspace");
  const policyAt = async (url: string): Promise<number> =>
    Number(/q=(\d+)/.exec((await ask(url)).headers["ratelimit-policy"] ?? "")?.[1]);
  /** When each process last reported its demand in this workspace. */
  const reports = async (): Promise<{ at: Date }[]> =>
    await first.app.db.sql.query("select at from api_demand where demand ? $1", [workspace.uuid]);

  /** No process waits for the database: the answers of the round are in force. One that waits begins no other round. */
  const isQuiet = (): void => {
    for (const { app } of [first, second])
      expect(app.db.connections().find(({ name }) => name === "work")).toMatchObject({ used: 0, waiting: 0 });
  };

  /** A second with this many requests at each process; how many of them were let through. */
  async function pass(wishes: readonly [number, number]): Promise<[number, number]> {
    const passed = await Promise.all(
      [first.url, second.url].map(async (url, n) => {
        const replies = await Promise.all(Array.from({ length: wishes[n] ?? 0 }, () => ask(url)));
        return replies.filter(({ status }) => status !== 429).length;
      }),
    );
    await vi.waitFor(isQuiet, PATIENCE);
    clock.advance(1_000);
    const busy = wishes.filter((wish) => wish > 0).length;
    // The round has ended: each process with demand has reported it and read the others' earlier reports.
    await vi.waitFor(async () => {
      const now = (await reports()).filter(({ at }) => at.getTime() === clock.now());
      expect(now.length).toBeGreaterThanOrEqual(busy);
      isQuiet();
    }, PATIENCE);
    return [passed[0] ?? 0, passed[1] ?? 0];
  }
  /** Some seconds of the same, of which the last ones are steady. */
  async function steady(wishes: readonly [number, number], seconds = 6): Promise<[number, number][]> {
    const passed: [number, number][] = [];
    for (let n = 0; n < seconds; n++) passed.push(await pass(wishes));
    return passed.slice(-3);
  }

  it("let a client that calls one alone use nearly all of the limit, and the header says so", async () => {
    for (const [atFirst, atSecond] of await steady([150, 0])) {
      expect(atFirst).toBeGreaterThanOrEqual(0.9 * LIMIT);
      expect(atFirst + atSecond).toBeLessThanOrEqual(LIMIT);
    }
    expect(await policyAt(first.url)).toBe(97);
    expect(await policyAt(second.url)).toBe(LIMIT / 2);
    const more = await Promise.all(Array.from({ length: LIMIT }, () => ask(first.url)));
    const refused = more.find(({ status }) => status === 429);
    expect(refused?.headers).toMatchObject({
      ratelimit: '"default";r=0;t=1',
      "ratelimit-policy": '"default";q=97;w=1',
    });
  });

  it("keep two clients that want everything at the limit together, half for each", async () => {
    for (const passed of await steady([150, 150])) {
      expect(passed[0] + passed[1]).toBeLessThanOrEqual(LIMIT * 1.02);
      for (const own of passed) expect(own).toBeGreaterThanOrEqual(0.45 * LIMIT);
    }
  });

  it("leave to the busy one what the other does not use, and give it back when that one wants it", async () => {
    for (const passed of await steady([150, 20])) {
      expect(passed[1]).toBe(20); // it is never refused
      expect(passed[0]).toBeGreaterThanOrEqual(0.75 * LIMIT);
      expect(passed[0] + passed[1]).toBeLessThanOrEqual(LIMIT * 1.02);
    }
    const changed = [await pass([150, 150]), await pass([150, 150]), await pass([150, 150])];
    const sums = changed.map(([a, b]) => a + b);
    // Two seconds at most, by half as much again and the one full bucket.
    expect(Math.max(...sums)).toBeLessThanOrEqual(2 * LIMIT);
    expect(sums.at(-1)).toBeLessThanOrEqual(LIMIT * 1.02);
  });

  it("write nothing for a workspace that is quiet, and stop when one becomes so", async () => {
    for (let n = 0; n < 5; n++) {
      await ask(first.url);
      await ask(second.url);
      clock.advance(1_000);
    }
    expect(await reports()).toEqual([]);
    await steady([150, 0], 2);
    const other = await first.workspace();
    for (let n = 0; n < 4; n++) {
      await callAs(first.url, other.key)("GET", "/v1/workspace");
      clock.advance(1_000);
    }
    const [row] = await reports();
    expect(clock.now() - (row?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  it("share it equally while they cannot communicate, and by demand again when they can", async () => {
    await steady([150, 0]);
    expect(await policyAt(first.url)).toBe(97);
    await withClient(first.database.url, async (client) => {
      await client.query("begin; lock table api_demand in exclusive mode");
      for (let n = 0; n < 3; n++) {
        clock.advance(1_000);
        await Promise.all(Array.from({ length: 60 }, () => ask(first.url)));
      }
      expect(await policyAt(first.url)).toBe(LIMIT / 2);
    });
    for (const [atFirst] of await steady([150, 0])) expect(atFirst).toBeGreaterThanOrEqual(0.9 * LIMIT);
  });
});
