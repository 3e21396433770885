import { describe, expect, it } from "vitest";
import { TtlCache } from "./ttl-cache.ts";

/** A cache whose reads the test answers, under a clock that the test moves. */
function cacheOf(most = 10) {
  const loads: { key: string; resolve(value: number | null): void; reject(error: Error): void }[] = [];
  let now = 0;
  const cache = new TtlCache<string, number | null>({
    load: (key) => new Promise((resolve, reject) => loads.push({ key, resolve, reject })),
    keep: (value) => value !== null,
    most,
    maxAgeMs: 4_000,
    monotonic: () => now,
  });
  const advance = (ms: number): void => void (now += ms);
  return { cache, loads, advance };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a TTL cache", () => {
  it("shares one read between callers and keeps its value", async () => {
    const { cache, loads } = cacheOf();
    const both = Promise.all([cache.get("a"), cache.get("a")]);
    loads[0]!.resolve(1);
    expect(await both).toEqual([1, 1]);
    expect(await cache.get("a")).toBe(1);
    expect(loads).toHaveLength(1);
  });

  it("reads again in the background from half the age on, and never returns a value that is too old", async () => {
    const { cache, loads, advance } = cacheOf();
    const first = cache.get("a");
    loads[0]!.resolve(1);
    await first;
    advance(2_000);
    expect(await cache.get("a")).toBe(1);
    expect(loads).toHaveLength(2);
    loads[1]!.resolve(2);
    await settled();
    expect(await cache.get("a")).toBe(2);
    advance(4_000);
    const late = cache.get("a");
    loads[2]!.resolve(3);
    expect(await late).toBe(3);
  });

  it("counts the age from before the read", async () => {
    const { cache, loads, advance } = cacheOf();
    const first = cache.get("a");
    advance(3_999);
    loads[0]!.resolve(1);
    await first;
    advance(1);
    void cache.get("a").catch(() => undefined);
    expect(loads).toHaveLength(2);
  });

  it("forgets a read in flight, and joins none that began before a refresh", async () => {
    const { cache, loads } = cacheOf();
    const old = cache.get("a");
    cache.forget("a");
    const fresh = cache.get("a");
    loads[0]!.resolve(1);
    loads[1]!.resolve(2);
    expect(await Promise.all([old, fresh])).toEqual([1, 2]);
    expect(await cache.get("a")).toBe(2);
    const slow = cache.refresh("a");
    const quick = cache.refresh("a");
    loads[3]!.resolve(4);
    await quick;
    loads[2]!.resolve(3);
    await slow;
    expect(await cache.get("a")).toBe(4);
  });

  it("keeps a value whose refresh failed until it is too old, then rejects with the failure", async () => {
    const { cache, loads, advance } = cacheOf();
    const first = cache.get("a");
    loads[0]!.resolve(1);
    await first;
    advance(3_000);
    expect(await cache.get("a")).toBe(1);
    loads[1]!.reject(new Error("away"));
    await settled();
    expect(await cache.get("a")).toBe(1);
    advance(1_000);
    loads[2]!.reject(new Error("away"));
    await expect(
      cache.get("a").then(
        () => "kept",
        (error: Error) => error.message,
      ),
    ).resolves.toBe("away");
  });

  it("returns the latest value at once, however old, and reads it again in the background", async () => {
    const { cache, loads, advance } = cacheOf();
    expect(cache.latest("a")).toBeNull();
    loads[0]!.resolve(1);
    await settled();
    expect(cache.latest("a")).toBe(1);
    expect(loads).toHaveLength(1);
    advance(60_000);
    expect([cache.latest("a"), cache.latest("a")]).toEqual([1, 1]);
    expect(loads).toHaveLength(2);
    loads[1]!.reject(new Error("away"));
    await settled();
    expect(cache.latest("a")).toBe(1);
    loads[2]!.resolve(2);
    await settled();
    expect(cache.latest("a")).toBe(2);
    expect(loads).toHaveLength(3);
  });

  it("stores no value that `keep` refuses", async () => {
    const { cache, loads } = cacheOf();
    const none = cache.get("none");
    loads[0]!.resolve(null);
    expect(await none).toBeNull();
    void cache.get("none");
    expect(loads).toHaveLength(2);
  });

  it("stores no more values than `most`: the one that was used longest ago is dropped", async () => {
    const { cache, loads } = cacheOf(2);
    for (const [index, key] of ["a", "b", "c"].entries()) {
      const read = cache.get(key);
      loads[index]!.resolve(index);
      await read;
      if (key === "b") await cache.get("a");
    }
    expect([await cache.get("a"), await cache.get("c")]).toEqual([0, 2]);
    expect(loads).toHaveLength(3);
    void cache.get("b");
    expect(loads).toHaveLength(4);
  });
});
