import type { Lane } from "../lane/lane.ts";
import type { Owned } from "../runner-state.ts";

/** Asks the kind how lanes are worked: when they open, when something has changed, and all again once in a while. */
export type Settings = {
  /** Those lanes asked for in one turn are asked for together. */
  ask(lane: number): void;
  askAll(): void;
};

const AGAIN_AFTER_MS = 500;

/** `applied` is called for each lane that got its settings. */
export function createSettings(owned: Owned, applied: (lane: Lane) => void): Settings {
  const { kind, clock, lanes, memory } = owned;
  const wanted = new Set<number>();

  function ask(number: number): void {
    if (wanted.size === 0) queueMicrotask(() => void load());
    wanted.add(number);
  }

  async function load(): Promise<void> {
    const asked = [...wanted];
    wanted.clear();
    try {
      const found = await kind.settings(asked);
      for (const number of asked) {
        const lane = lanes.get(number);
        if (!lane) continue;
        // Gone (its number or endpoint was deleted) is as good as closed: its rows wait for whoever cleans up.
        for (const row of lane.configure(found.get(number) ?? null, clock.now())) memory.finish(row.seq);
        applied(lane);
      }
    } catch (error) {
      owned.report("lane settings")(error);
      clock.after(AGAIN_AFTER_MS, () => {
        for (const number of asked) if (lanes.has(number)) ask(number);
      });
    }
  }

  return {
    ask,
    askAll() {
      for (const number of lanes.keys()) ask(number);
    },
  };
}
