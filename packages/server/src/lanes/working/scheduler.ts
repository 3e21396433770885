import type { Clock } from "../../lib/clock.ts";
import type { QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import type { Yielding } from "./yielding.ts";

/**
 * Who may start next: round robin over workspaces, then over the lanes of each. Every row costs the same, so a quantum of
 * one is deficit round robin without the deficit. Turns alone would let a workspace whose receivers hang gather all places
 * in the air, so places are shared too: see `SHARE_OF_FREE`.
 */
export type Scheduler = {
  /** The lane may have something to start. */
  ready(lane: Lane): void;
  /** The lane is dropped. */
  forget(lane: Lane): void;
  readonly inFlight: number;
  /** Rows started so far. */
  readonly starts: number;
  /** More may start than a moment ago. */
  again(): void;
  stop(): void;
};

/** After a start the bound grows from 32 to its full size over 2 s: a restarted process must not hit cold pools with everything. */
const FIRST_IN_FLIGHT = 32;
const GROW_OVER_MS = 2_000;
/**
 * A workspace may take another place while it holds fewer than this many times those that are free. Alone it comes to four
 * fifths of all, two to four ninths each, n to 4/(4n+1): whoever comes finds places, however long those of the others
 * are held (dynamic thresholds, Choudhury and Hahne, IEEE/ACM Transactions on Networking 6, 1998).
 */
const SHARE_OF_FREE = 4;
/** Lanes above some hundred starts a second wait for several at once: a timer for each row would cost more than the row. */
const LEAST_WAIT_MS = 4;

export type SchedulerOptions = {
  inFlight: number;
  clock: Clock;
  yielding?: Yielding | null;
  /** Starts a row and calls `landed` when it has left the air; false when the lane may not start anything now (it was put back). */
  start(lane: Lane, row: QueueRow, landed: () => void): boolean;
  /** Rows that `take` put aside for the table. */
  deferred(lane: Lane): void;
};

export function createScheduler(options: SchedulerOptions): Scheduler {
  const rings = new Map<string, Set<Lane>>();
  const timers = new Map<Lane, () => void>();
  // Places in the air by workspace.
  const held = new Map<string, number>();
  const { clock } = options;
  const startedAt = clock.monotonic();
  let starts = 0;
  let inFlight = 0;
  let scheduled = false;
  let growing = false;
  let stopped = false;

  function bound(): number {
    const age = clock.monotonic() - startedAt;
    return age >= GROW_OVER_MS
      ? options.inFlight
      : Math.min(
          options.inFlight,
          FIRST_IN_FLIGHT + Math.floor(((options.inFlight - FIRST_IN_FLIGHT) * age) / GROW_OVER_MS),
        );
  }

  function ready(lane: Lane): void {
    if (stopped || !lane.settings) return;
    const ring = rings.get(lane.settings.fairShareKey);
    if (ring) ring.add(lane);
    else rings.set(lane.settings.fairShareKey, new Set([lane]));
    schedule();
  }

  function schedule(): void {
    if (scheduled || stopped) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      pump();
    });
  }

  function pump(): void {
    const most = bound();
    // Workspaces in a row that hold their share already; when all do, nothing can start.
    let sated = 0;
    while (inFlight < most && sated < rings.size && !stopped && (options.yielding?.mayStart() ?? true)) {
      const turn = rings.entries().next();
      if (turn.done) return;
      const [workspace, ring] = turn.value;
      // To the back of the row, whatever comes of it.
      rings.delete(workspace);
      if ((held.get(workspace) ?? 0) >= SHARE_OF_FREE * (most - inFlight)) {
        rings.set(workspace, ring);
        sated += 1;
        continue;
      }
      sated = 0;
      const lane = ring.values().next().value;
      if (!lane) continue;
      ring.delete(lane);
      const next = lane.take(clock.now());
      if (lane.deferred.length > 0) options.deferred(lane);
      if (next && "row" in next) {
        if (options.start(lane, next.row, () => landed(workspace))) {
          ring.add(lane);
          starts += 1;
          options.yielding?.started();
          inFlight += 1;
          held.set(workspace, (held.get(workspace) ?? 0) + 1);
        }
      } else if (next) waitFor(lane, next.waitMs);
      if (ring.size > 0) rings.set(workspace, ring);
    }
    // Still growing: what is left over is looked at again when more is allowed.
    if (rings.size > 0 && most < options.inFlight && !growing) {
      growing = true;
      clock.after(LEAST_WAIT_MS, () => {
        growing = false;
        schedule();
      });
    }
  }

  function landed(workspace: string): void {
    inFlight -= 1;
    const left = (held.get(workspace) ?? 0) - 1;
    if (left > 0) held.set(workspace, left);
    else held.delete(workspace);
    if (rings.size > 0) schedule();
  }

  function waitFor(lane: Lane, waitMs: number): void {
    if (timers.has(lane)) return;
    const ring = (): void => {
      timers.delete(lane);
      ready(lane);
    };
    timers.set(lane, clock.after(Math.max(LEAST_WAIT_MS, Math.ceil(waitMs)), ring));
  }

  return {
    ready,
    forget(lane) {
      timers.get(lane)?.();
      timers.delete(lane);
      const workspace = lane.settings?.fairShareKey;
      if (workspace !== undefined) rings.get(workspace)?.delete(lane);
    },
    get inFlight() {
      return inFlight;
    },
    get starts() {
      return starts;
    },
    again: schedule,
    stop() {
      stopped = true;
      for (const cancel of timers.values()) cancel();
      timers.clear();
      rings.clear();
    },
  };
}
