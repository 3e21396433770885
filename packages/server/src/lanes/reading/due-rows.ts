import type { Lane } from "../lane/lane.ts";
import { DUE_LIMIT, type DueAsk, type ReadRow } from "../queue.ts";
import { AGAIN_AFTER_MS, type RunnerState } from "../runner-state.ts";
import type { Defer } from "../working/defer.ts";
import { type DueCursor, type DueRead, type DueSchedule, NOTHING_READ } from "./due-schedule.ts";
import type { RowReader } from "./row-reader.ts";

/** Reads due rows of lanes: when their time has come, and for a sweep. */
export class DueRows {
  readonly #state: RunnerState;
  readonly #dues: DueSchedule;
  readonly #reader: RowReader;
  readonly #defer: Defer;

  constructor(state: RunnerState, dues: DueSchedule, reader: RowReader, defer: Defer) {
    this.#state = state;
    this.#dues = dues;
    this.#reader = reader;
    this.#defer = defer;
  }

  /** Reads what falls due, until the runner stops. */
  async run(): Promise<void> {
    while (!this.#state.stopped) {
      const lanes = await this.#dues.next();
      const current = lanes.filter((lane) => this.#state.isCurrent(lane));
      // Not awaited: a slow read must not keep other lanes from being looked at in time.
      this.read(current, false).catch((error) => this.#state.report("due rows", error));
    }
  }

  /**
   * Reads due rows of lanes, a page of each: from where their reading has got, or from the first there is. Returns the lanes
   * that have more and room for it.
   */
  async read(lanes: readonly Lane[], fromStart: boolean): Promise<Lane[]> {
    const { kind, clock } = this.#state;
    const asked = lanes.filter((lane) => !lane.closed && this.#hasRoom(lane));
    if (asked.length === 0) return [];
    const now = clock.now();
    const asks = asked.map((lane) => askOf(lane, fromStart ? NOTHING_READ : this.#dues.cursorOf(lane)));
    const reads = new Map(asked.map((lane) => [lane, this.#dues.beginRead(lane, now)]));
    const page = new Page(this.#state, this.#dues, reads, now);
    for (const lane of asked) lane.pin();
    try {
      await this.#reader.read(kind.queue.due, asks, { filter: page });
    } catch (error) {
      for (const [lane, read] of reads) {
        this.#dues.endRead(lane, read, false);
        this.#lookAgain(lane);
      }
      throw error;
    } finally {
      for (const lane of asked) lane.unpin();
    }
    const more: Lane[] = [];
    for (const [lane, read] of reads) {
      const hasMore = (page.counts.get(lane) ?? 0) >= DUE_LIMIT;
      this.#dues.endRead(lane, read, !hasMore && !page.halted.has(lane));
      if (page.halted.has(lane)) this.#lookAgain(lane);
      else if (hasMore) {
        this.#dues.lookAt(lane, now);
        more.push(lane);
      }
      this.#defer.resume(lane);
    }
    return more;
  }

  #hasRoom(lane: Lane): boolean {
    if (lane.hasRoomForDue(this.#state.room())) return true;
    this.#dues.postpone(lane, this.#state.clock.now() + AGAIN_AFTER_MS);
    return false;
  }

  #lookAgain(lane: Lane): void {
    this.#dues.lookAt(lane, this.#state.clock.now() + AGAIN_AFTER_MS);
  }
}

/** One read of due rows: decides which of them are taken and notes how far each lane got. */
class Page {
  /** Rows taken of each lane; none for a lane that was read to a row that lies ahead. */
  readonly counts = new Map<Lane, number>();
  /** Lanes that had no room for all of their rows. */
  readonly halted = new Set<Lane>();
  readonly #state: RunnerState;
  readonly #dues: DueSchedule;
  readonly #reads: ReadonlyMap<Lane, DueRead>;
  readonly #now: number;

  constructor(state: RunnerState, dues: DueSchedule, reads: ReadonlyMap<Lane, DueRead>, now: number) {
    this.#state = state;
    this.#dues = dues;
    this.#reads = reads;
    this.#now = now;
  }

  takes(row: ReadRow): boolean {
    const lane = this.#state.lanes.get(row.lane);
    const read = lane && this.#reads.get(lane);
    if (!read || this.halted.has(lane)) return false;
    if (row.due > this.#now) {
      // The first that lies ahead: everything before it was read.
      this.counts.delete(lane);
      this.#dues.lookAt(lane, row.due);
      return false;
    }
    if (!lane.hasRoomForDue(this.#state.room())) {
      this.halted.add(lane); // the cursor stays here
      return false;
    }
    this.counts.set(lane, (this.counts.get(lane) ?? 0) + 1);
    this.#dues.advance(lane, read, row);
    return true;
  }
}

const askOf = (lane: Lane, cursor: DueCursor): DueAsk => ({
  slot: lane.slot,
  lane: lane.number,
  due: cursor.due === Number.NEGATIVE_INFINITY ? "-infinity" : timestampOf(cursor.due),
  seq: cursor.seq,
});

/**
 * A time as PostgreSQL keeps it, to the microsecond: a cursor cut to milliseconds lies before the rows it was taken from, and
 * a full page of one instant would be read again for ever.
 */
function timestampOf(ms: number): string {
  const micros = Math.round((ms - Math.floor(ms)) * 1_000);
  const whole = new Date(Math.floor(ms) + (micros === 1_000 ? 1 : 0)).toISOString();
  return `${whole.slice(0, -1)}${String(micros % 1_000).padStart(3, "0")}Z`;
}
