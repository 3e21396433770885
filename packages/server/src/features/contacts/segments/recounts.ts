import { setTimeout as pause } from "node:timers/promises";
import type { App } from "../../../ctx.ts";
import { countPart } from "../search/search.ts";
import { parseFilter } from "./filter.ts";
import { selectSegmentRow, updateSegmentRowCount } from "./segment.store.ts";

/** A step stays well below the 8 s of a statement, also where the database is busy. */
const STEP_MS = 1_000;
/** A count that took long is not begun again for so many times as long, so that it costs a twentieth of a core at most. */
const REST = 20;
const SHORTEST_REST_MS = 10_000;
/** Waiting: a client that asks for more segments gets their counts when it asks again. */
const MOST_WAITING = 1_000;

/** A segment whose count takes too long to wait for. */
export type Slow = { workspaceId: string; id: string };

/**
 * Counts of segments that take longer than a request may wait: one after another in the background, each in short steps. A process
 * that ends forgets what it has not counted, and the next request asks again.
 *
 * waiting → counting → resting (until it may be asked for again)
 */
export class Recounts {
  readonly #app: Pick<App, "db" | "clock" | "log">;
  readonly #waiting = new Map<string, Slow>();
  readonly #restsUntil = new Map<string, number>();
  #running: Promise<void> | null = null;
  readonly #stop = new AbortController();

  constructor(app: Pick<App, "db" | "clock" | "log">) {
    this.#app = app;
  }

  ask(slow: Slow): void {
    if (this.#stop.signal.aborted || this.#waiting.size >= MOST_WAITING) return;
    if ((this.#restsUntil.get(slow.id) ?? 0) > this.#app.clock.now()) return;
    this.#waiting.set(slow.id, slow);
    this.#running ??= this.#run();
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#waiting.clear();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (const slow of this.#waiting.values()) {
      const began = performance.now();
      try {
        await this.#count(slow);
      } catch (error) {
        this.#app.log.warn(
          { err: error, segment_id: slow.id },
          "a segment could not be counted; the next request asks again",
        );
      }
      const tookMs = performance.now() - began;
      const now = this.#app.clock.now();
      for (const [id, until] of this.#restsUntil) if (until <= now) this.#restsUntil.delete(id);
      this.#restsUntil.set(slow.id, now + Math.max(SHORTEST_REST_MS, REST * tookMs));
      this.#waiting.delete(slow.id);
      // Half of a core at most, however many wait. A stop does not wait for it.
      await pause(tookMs, null, { signal: this.#stop.signal }).catch(() => undefined);
    }
    this.#running = null;
  }

  async #count({ workspaceId, id }: Slow): Promise<void> {
    const { db, clock } = this.#app;
    const now = clock.now();
    const row = await db.read(workspaceId, (sql) => selectSegmentRow(sql, workspaceId, id));
    if (!row) return;
    const condition = parseFilter(row.filter, now);
    let [count, from]: [number, string | null] = [0, null];
    do {
      if (this.#stop.signal.aborted) return;
      const part = await db.read(workspaceId, (sql) =>
        countPart({ sql, workspaceId, now }, { condition, from, budgetMs: STEP_MS }),
      );
      [count, from] = [count + part.count, part.at];
    } while (from !== null);
    await db.transaction(workspaceId, (sql) =>
      updateSegmentRowCount(sql, workspaceId, { id, revision: row.revision, count, now }),
    );
  }
}
