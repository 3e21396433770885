import type { Database } from "../db/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createQuietLog } from "../lib/quiet-log.ts";
import type { LaneKind } from "./kind.ts";
import { createLane, type Lane } from "./lane/lane.ts";
import type { Membership } from "./ownership/membership.ts";
import { RowRegistry } from "./reading/row-registry.ts";

/** On the monotonic clock. */
export type Mark = { at: number; watermark: number };

/** A slot of ours. It is `ready` when everything in it was looked at once; before that nothing of it starts. */
export type Slot = {
  readonly epoch: number;
  /** New rows are above it. */
  watermark: number;
  /** Where the watermark stood lately, the oldest first: seconds back for the near sweep. */
  marks: Mark[];
  /** Where it stood at the take-over: everything up to there was read then. */
  opened: Mark;
  /** When the last read of new rows began that found their end, on the monotonic clock. */
  readAt: number;
  /** How far the near sweep has come; null: it begins anew. */
  sweptTo: number | null;
  ready: boolean;
  /** When it became ours, on the monotonic clock. */
  readonly since: number;
  /** It will be given back: nothing new starts in it. */
  draining: boolean;
};

/** What this process owns of one kind: its slots, their lanes that have work, and the rows held in memory. */
export type Owned = {
  readonly kind: LaneKind;
  readonly db: Database;
  readonly clock: Clock;
  readonly slots: Map<number, Slot>;
  readonly lanes: Map<number, Lane>;
  readonly memory: RowRegistry;
  /** Numbers of rows that had been drawn by then, the oldest first. */
  readonly drawn: Mark[];
  /** Nothing is begun any more. */
  stopped: boolean;
  membership: Membership;
  /** Rows that any lane may hold now, at least one; what is beyond stays in the table, and the lane is read again later. */
  room(): number;
  /** The lane of a row that was read; null when its slot is not ours. */
  laneOf(slot: number, lane: number): Lane | null;
  /** Forgets a lane and the rows it holds. */
  drop(lane: Lane): void;
  /** Forgets everything at once. */
  clear(): void;
  /** Logs a failure of something that is tried again, a line a second at most: with the database away everything fails. */
  report(what: string): (error: unknown) => void;
};

/**
 * A lane may hold another row while this many times its rows are free: n lanes with endless backlogs come to
 * 1/(n + 8) of the buffer each, and whoever comes finds room. The same idea as with the places of the scheduler.
 */
const FREE_A_LANE = 8;

/** Asks for the last number that anybody has drawn for a row of the queue, whether it is committed or not. */
export async function noteDrawn({ db, kind, clock, drawn }: Owned): Promise<number> {
  const [last] = await db.sql.query<{ seq: number | null }>(
    "select pg_sequence_last_value(pg_get_serial_sequence($1, 'seq')::regclass) as seq",
    [kind.queue.table],
  );
  const watermark = last?.seq ?? 0;
  markDrawn({ clock, drawn }, watermark);
  return watermark;
}

/** Longer than between two reads of a slot. */
const DRAWN_FOR_MS = 5_000;

/** Remembers that this number has been drawn by now. */
export function markDrawn({ clock, drawn }: Pick<Owned, "clock" | "drawn">, seq: number): void {
  const at = clock.monotonic();
  drawn.push({ at, watermark: Math.max(seq, drawn.at(-1)?.watermark ?? 0) });
  while ((drawn[1]?.at ?? at) < at - DRAWN_FOR_MS) drawn.shift();
}

export type OwnedOptions = {
  kind: LaneKind;
  db: Database;
  clock: Clock;
  log: Log;
  membership: Membership;
  /** Rows in memory over all lanes. A row is ids and numbers of fixed width, below half a KiB, so this bounds the bytes too. */
  buffer: number;
  opened(lane: Lane): void;
  dropped(lane: Lane): void;
};

export function createOwned(options: OwnedOptions): Owned {
  const { kind, clock } = options;
  const quiet = createQuietLog(options.log, clock);
  const memory = new RowRegistry();
  const slots = new Map<number, Slot>();
  const lanes = new Map<number, Lane>();

  function laneOf(slot: number, number: number): Lane | null {
    const known = lanes.get(number);
    if (known) return known;
    if (!slots.has(slot)) return null;
    const lane = createLane({ lane: number, slot, clock, defers: kind.queue.defer !== null });
    lanes.set(number, lane);
    options.opened(lane);
    return lane;
  }

  function drop(lane: Lane): void {
    options.dropped(lane);
    lanes.delete(lane.lane);
    for (const row of lane.rows()) memory.finish(row.seq);
  }

  const self: Owned = {
    kind,
    db: options.db,
    clock,
    slots,
    lanes,
    memory,
    drawn: [],
    stopped: false,
    membership: options.membership,
    room: () => Math.max(1, Math.floor((options.buffer - memory.size) / FREE_A_LANE)),
    laneOf,
    drop,
    clear() {
      for (const lane of lanes.values()) options.dropped(lane);
      slots.clear();
      lanes.clear();
      memory.clear();
      self.drawn.length = 0;
    },
    report: (what) => (error) => {
      if (!self.stopped) quiet.warn(what, { err: error, kind: kind.name }, `${what} failed; it will be tried again`);
    },
  };
  return self;
}
