import { createHeap } from "../../lib/heap.ts";
import { type DueCursor, type Lane, NOTHING_READ } from "../lane/lane.ts";
import { DUE_LIMIT, type DueAsk, type ReadRow } from "../queue.ts";
import type { Owned } from "../runner-state.ts";
import type { Intake } from "./row-reader.ts";

/** Reads due rows: one timer over all lanes rings for the lane whose row is due next. */
export type DueRows = {
  /** Something of the lane lies ahead, at its `nextDue`. */
  watch(lane: Lane): void;
  /** Reads due rows of lanes: from their cursors, or from the first there is. */
  read(lanes: readonly Lane[], fromStart: boolean): Promise<void>;
  /** Keeps the timers no longer than the lanes need. */
  tidy(): void;
  stop(): void;
};

/** One read: due rows taken of each lane, and lanes that were cut short for want of room. */
type Page = { now: number; counts: Map<Lane, number>; halted: Set<Lane> };

/** A lane that cannot be read now is asked for again after this. */
const AGAIN_AFTER_MS = 500;
/** Entries a lane on the heap: an earlier due adds one, and the later one is only passed over when it rings. */
const HEAP_SLACK = 4;
const HEAP_LEAST = 1_000;

export function createDueRows(owned: Owned, intake: Intake, ring: (lane: Lane) => void): DueRows {
  const { kind, clock, lanes } = owned;
  let heap = createHeap<Lane>();
  let cancel: (() => void) | null = null;
  let armedFor = Number.POSITIVE_INFINITY;

  function watch(lane: Lane): void {
    if (lane.nextDue === Number.POSITIVE_INFINITY) return;
    if (lane.watched <= lane.nextDue) return; // an earlier look is on the heap already
    lane.watched = lane.nextDue;
    heap.push(lane.nextDue, lane);
    arm();
  }

  function arm(): void {
    const at = heap.peek();
    if (at >= armedFor || owned.stopped) return;
    cancel?.();
    armedFor = at;
    cancel = clock.after(at - clock.now(), () => {
      armedFor = Number.POSITIVE_INFINITY;
      void rung();
    });
  }

  async function rung(): Promise<void> {
    const now = clock.now();
    const due = new Set<Lane>();
    while (heap.peek() <= now) {
      const lane = heap.pop();
      if (!lane) break;
      lane.watched = Number.POSITIVE_INFINITY;
      if (lanes.get(lane.lane) === lane) due.add(lane);
    }
    arm();
    await read([...due], false).catch(owned.report("due rows"));
  }

  function later(lane: Lane): void {
    lane.nextDue = Math.min(lane.nextDue, clock.now() + AGAIN_AFTER_MS);
    watch(lane);
  }

  async function read(which: readonly Lane[], fromStart: boolean): Promise<void> {
    const asked = which.filter((lane) => {
      if (lane.closed) return false;
      const room = lane.takesDue(owned.room());
      if (!room) {
        lane.nextDue = Number.POSITIVE_INFINITY;
        later(lane);
      }
      return room;
    });
    if (asked.length === 0) return;
    const now = clock.now();
    const asks = asked.map((lane) => askOf(lane, fromStart ? NOTHING_READ : lane.dueCursor));
    const page: Page = { now, counts: new Map(), halted: new Set() };
    for (const lane of asked) {
      lane.nextDue = Number.POSITIVE_INFINITY;
      lane.pending += 1;
    }
    try {
      await intake.read(kind.queue.due, asks, (rows, id) => {
        for (const row of rows) take(row, id, page);
      });
    } catch (error) {
      for (const lane of asked) later(lane);
      throw error;
    } finally {
      for (const lane of asked) lane.pending -= 1;
    }
    for (const lane of asked) {
      if (page.halted.has(lane)) later(lane);
      else if ((page.counts.get(lane) ?? 0) >= DUE_LIMIT) lane.nextDue = Math.min(lane.nextDue, now);
      else lane.dueReadTo = Math.max(lane.dueReadTo, now);
      watch(lane);
      ring(lane);
    }
  }

  function take(row: ReadRow, id: number, page: Page): void {
    const lane = lanes.get(row.lane);
    if (!lane || page.halted.has(lane)) return;
    if (row.due > page.now) {
      // The first that lies ahead: everything before it was read.
      page.counts.delete(lane);
      lane.nextDue = Math.min(lane.nextDue, row.due);
      return;
    }
    if (!lane.takesDue(owned.room())) {
      page.halted.add(lane); // the cursor stays here
      return;
    }
    page.counts.set(lane, (page.counts.get(lane) ?? 0) + 1);
    const { due, seq } = lane.dueCursor;
    if (row.due > due || (row.due === due && row.seq > seq)) lane.dueCursor = { due: row.due, seq: row.seq };
    intake.accept(row, id);
  }

  return {
    watch,
    read,
    tidy() {
      if (heap.size <= lanes.size * HEAP_SLACK + HEAP_LEAST) return;
      heap = createHeap();
      for (const lane of lanes.values()) {
        lane.watched = Number.POSITIVE_INFINITY;
        watch(lane);
      }
    },
    stop: () => cancel?.(),
  };
}

const askOf = (lane: Lane, cursor: DueCursor): DueAsk => ({
  slot: lane.slot,
  lane: lane.lane,
  due: cursor.due === Number.NEGATIVE_INFINITY ? "-infinity" : timestampOf(cursor.due),
  seq: cursor.seq,
});

/**
 * A time as PostgreSQL keeps it, to the microsecond: a cursor cut to milliseconds lies before the rows it was taken from, and
 * a full page of one instant would be read again for ever.
 */
export function timestampOf(ms: number): string {
  const micros = Math.round((ms - Math.floor(ms)) * 1_000);
  const whole = new Date(Math.floor(ms) + (micros === 1_000 ? 1 : 0)).toISOString();
  return `${whole.slice(0, -1)}${String(micros % 1_000).padStart(3, "0")}Z`;
}
