import type { Database } from "../db/database.ts";
import type { HotFunction } from "../db/hot-function.ts";
import type { Clock } from "../lib/clock.ts";
import { createHeap } from "../lib/heap.ts";
import type { Log } from "../lib/log.ts";
import type { Disposition, Grip, LaneKind, LaneSettings, QueueRow } from "./kind.ts";
import { createLane, type Lane } from "./lane.ts";
import type { Membership } from "./membership.ts";
import { createMemory } from "./memory.ts";
import { createPace } from "./pace.ts";
import { DUE_LIMIT, LANE_BUFFER, TAIL_LIMIT } from "./queue.ts";
import { createScheduler } from "./scheduler.ts";

/**
 * Works the lanes of one kind whose slots this process owns: reads what was committed, starts what may go, and forgets
 * what is done. Reading claims nothing; the table is the truth and memory only a window on it.
 */
export type Runner = {
  gained(slot: number, epoch: number): void;
  lost(): void;
  surplus(count: number): void;
  /** Rows of these slots were committed; null: anything may have been. */
  hint(slots: number[] | null): void;
  /** Settings of these lanes have changed. */
  refresh(lanes: Iterable<number>): void;
  /** No new starts; resolves when nothing is in the air or after `ms`. */
  drain(ms: number): Promise<void>;
  readonly inAir: number;
  readonly lanes: number;
};

/** Polling: from 50 ms after something was found to a second when idle and hints work. */
const POLL_LEAST_MS = 50;
const POLL_MOST_MS = 1_000;
const POLL_MOST_DEAF_MS = 100;
/** Rows that committed late (bounded by `statement_timeout` 8 s) are found by reading again from this far back. */
const NEAR_SWEEP_EVERY_MS = 1_000;
const NEAR_SWEEP_BACK_MS = 15_000;
/** After a take-over the slots are scanned once more for rows that committed late. */
const SECOND_SCAN_MS = 9_000;
/** The slow sweep finds what every other way lost; it sleeps at least twenty times as long as it took. */
const SLOW_SWEEP_LEAST_MS = 5_000;
const SLOW_SWEEP_REST = 20;
/** Rows in memory over all lanes. */
const PROCESS_BUFFER = 100_000;
/** Settings are asked again after this, so that another process's change holds here soon. */
const SETTINGS_EVERY_MS = 4_000;
/** A row whose work failed because the database was away waits this long. */
const AGAIN_AFTER_MS = 500;
const STARTED_CHECK_EVERY_MS = 1_000;
/** Idle lanes are dropped from memory at this interval. */
const TIDY_EVERY_MS = 1_000;

type Slot = {
  epoch: number;
  watermark: number;
  marks: { at: number; watermark: number }[];
  ready: boolean;
  draining: boolean;
};
type TailRow = {
  slot: number;
  lane: number;
  due: number;
  seq: number;
  workspace_id: string | null;
  item_id: string;
  event_id: string | null;
  key: string | null;
  attempt: number;
  state: number;
  started_at: number | null;
  expires_at: number | null;
};

export type RunnerOptions = {
  kind: LaneKind;
  db: Database;
  clock: Clock;
  log: Log;
  membership: () => Membership;
  listening: () => boolean;
};

export function createRunner(options: RunnerOptions): Runner {
  const { kind, db, clock, log } = options;
  const slots = new Map<number, Slot>();
  const lanes = new Map<number, Lane>();
  const grips = new WeakMap<Lane, Grip>();
  const memory = createMemory();
  const dueHeap = createHeap<Lane>();
  const hinted = new Set<number>();
  const unconfigured = new Set<number>();
  const abort = new AbortController();
  let draining = false;
  let stopped = false;
  let configuredAt = performance.now();

  const scheduler = createScheduler({ inFlight: kind.inFlight, now: clock.now, start, deferred: putAside });

  // ---- owning -------------------------------------------------------------------------------------------------

  function gained(slot: number, epoch: number): void {
    const entry: Slot = { epoch, watermark: 0, marks: [], ready: false, draining: false };
    slots.set(slot, entry);
    void takeOver(slot, entry);
  }

  // Watermark first (the sequence, never max(seq): that walks dead rows), then what lies below it.
  async function takeOver(slot: number, entry: Slot): Promise<void> {
    try {
      const last = await db.sql.query<{ seq: number | null }>(
        "select pg_sequence_last_value(pg_get_serial_sequence($1, 'seq')::regclass) as seq",
        [kind.queue.table],
      );
      entry.watermark = last[0]?.seq ?? 0;
      entry.marks = [{ at: performance.now(), watermark: entry.watermark }];
      if (kind.queue.held) {
        const held = await db.call<{ lane: number; key: string; seq: number; until: number }>(
          kind.queue.held,
          [JSON.stringify({ slot })],
          clock.now(),
        );
        for (const row of held) laneOf(slot, row.lane)?.hold(row.key, row.seq, row.until);
      }
      await sweep([slot]);
      entry.ready = true;
      wakeReader();
      setTimeout(() => {
        if (slots.get(slot) === entry) sweep([slot]).catch(report("second scan"));
      }, SECOND_SCAN_MS).unref();
    } catch (error) {
      if (slots.get(slot) !== entry || stopped) return;
      log.warn({ err: error, kind: kind.name, slot }, "taking over a slot failed; again in a second");
      setTimeout(() => {
        if (slots.get(slot) === entry) void takeOver(slot, entry);
      }, 1_000).unref();
    }
  }

  function lost(): void {
    for (const lane of lanes.values()) scheduler.forget(lane);
    slots.clear();
    lanes.clear();
    memory.clear();
  }

  function surplus(count: number): void {
    let more = count - [...slots.values()].filter((entry) => entry.draining).length;
    // Slots without lanes first: they cost nobody a pause.
    const busy = new Set([...lanes.values()].map((lane) => lane.slot));
    const order = [...slots].sort(([a], [b]) => Number(busy.has(a)) - Number(busy.has(b)));
    for (const [slot, entry] of order) {
      if (more <= 0) break;
      if (entry.draining) continue;
      entry.draining = true;
      more -= 1;
      for (const lane of lanes.values()) if (lane.slot === slot) scheduler.forget(lane);
      giveBackWhenEmpty(slot, entry);
    }
  }

  function giveBackWhenEmpty(slot: number, entry: Slot): void {
    if (slots.get(slot) !== entry || !entry.draining) return;
    const mine = [...lanes.values()].filter((lane) => lane.slot === slot);
    if (mine.some((lane) => lane.inAir > 0)) return;
    for (const lane of mine) drop(lane);
    slots.delete(slot);
    options.membership().release(kind.name, slot).catch(report("release of a slot"));
  }

  function drop(lane: Lane): void {
    scheduler.forget(lane);
    lanes.delete(lane.lane);
    for (const row of lane.rows()) memory.finish(row.seq);
  }

  // ---- lanes --------------------------------------------------------------------------------------------------

  function laneOf(slot: number, number: number): Lane | null {
    const entry = slots.get(slot);
    if (!entry) return null;
    let lane = lanes.get(number);
    if (!lane) {
      lane = createLane(number, slot, performance.now(), clock.now());
      lanes.set(number, lane);
      askSettings(number);
    }
    return lane;
  }

  function askSettings(number: number): void {
    if (unconfigured.size === 0) queueMicrotask(() => void configure());
    unconfigured.add(number);
  }

  async function configure(): Promise<void> {
    const asked = [...unconfigured];
    unconfigured.clear();
    try {
      const found = await kind.settings(asked);
      for (const number of asked) {
        const lane = lanes.get(number);
        if (lane) apply(lane, found.get(number));
      }
    } catch (error) {
      report("lane settings")(error);
      setTimeout(() => {
        for (const number of asked) if (lanes.has(number)) askSettings(number);
      }, AGAIN_AFTER_MS).unref();
    }
  }

  function apply(lane: Lane, settings: LaneSettings | undefined): void {
    if (!settings) return; // its number or endpoint is gone; its rows wait for whoever cleans up
    lane.configure(settings);
    scheduler.ready(lane);
    watchDue(lane);
  }

  function accept(raw: TailRow, read: number): "kept" | "timed" | "passed" | "known" {
    const lane = laneOf(raw.slot, raw.lane);
    if (!lane || !memory.isNew(raw.seq, read)) return "known";
    if (memory.size >= PROCESS_BUFFER) return lane.pass();
    const fate = lane.add(rowOf(raw), clock.now());
    if (fate === "kept") {
      memory.keep(raw.seq);
      scheduler.ready(lane);
    } else if (fate === "timed") watchDue(lane);
    return fate;
  }

  function acceptAll(rows: TailRow[], read: number): void {
    for (const row of rows) accept(row, read);
  }

  // ---- working ------------------------------------------------------------------------------------------------

  function start(lane: Lane, row: QueueRow): boolean {
    const grip = gripOf(lane);
    if (draining || !grip?.valid() || slots.get(lane.slot)?.draining) {
      lane.putBack(row);
      return false;
    }
    kind.work(row, grip).then(
      (disposition) => land(lane, row, disposition),
      (error: unknown) => {
        report("work")(error);
        land(lane, row, { kind: "again" });
      },
    );
    return true;
  }

  function land(lane: Lane, row: QueueRow, disposition: Disposition): void {
    const now = clock.now();
    const current = lanes.get(lane.lane) === lane;
    if (disposition.kind === "again") {
      setTimeout(() => {
        lane.putBack(row);
        if (lanes.get(lane.lane) === lane) scheduler.ready(lane);
      }, AGAIN_AFTER_MS).unref();
      scheduler.landed();
      return;
    }
    if (current) memory.finish(row.seq);
    if (disposition.kind === "later") {
      lane.backOff(row, disposition.due, disposition.holdsKey, now);
      if (current) watchDue(lane);
    } else lane.finish(row, now);
    scheduler.landed();
    if (!current) return;
    if (slots.get(lane.slot)?.draining) settleDraining(lane.slot);
    else {
      scheduler.ready(lane);
      refill(lane);
    }
  }

  function settleDraining(slot: number): void {
    const entry = slots.get(slot);
    if (entry) giveBackWhenEmpty(slot, entry);
  }

  function gripOf(lane: Lane): Grip | null {
    const entry = slots.get(lane.slot);
    if (!entry || lanes.get(lane.lane) !== lane) return null;
    const known = grips.get(lane);
    if (known) return known;
    const membership = options.membership();
    const worker = membership.worker;
    // Intents are paced when they are made; this second pace at the socket evens out what a slow commit bunched up.
    let gate = lane.settings?.ratePerSecond ? createPace(lane.settings.ratePerSecond, performance.now()) : null;
    let gateRate = lane.settings?.ratePerSecond ?? null;
    const grip: Grip = {
      worker,
      epoch: entry.epoch,
      valid: () => membership.worker === worker && membership.valid() && slots.get(lane.slot) === entry,
      departure() {
        const rate = lane.settings?.ratePerSecond ?? null;
        if (rate !== gateRate) {
          gateRate = rate;
          gate = rate === null ? null : createPace(rate, performance.now());
        }
        if (!gate) return Promise.resolve();
        const now = performance.now();
        const waitMs = gate.waitMs(now);
        gate.spend(now);
        return waitMs <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, waitMs));
      },
      pause: (ms) => lane.pace?.pause(performance.now(), ms),
      report: (good) => lane.report(good),
      signal: abort.signal,
    };
    grips.set(lane, grip);
    return grip;
  }

  function putAside(lane: Lane): void {
    const rows = lane.deferred.splice(0);
    const fn = kind.queue.defer;
    if (!fn) return;
    const texts = rows.map(({ row, due }) =>
      JSON.stringify({
        slot: row.slot,
        lane: row.lane,
        seq: row.seq,
        workspace_id: row.workspaceId,
        key: row.key,
        due: new Date(due).toISOString(),
      }),
    );
    db.call(fn, texts, clock.now()).then(
      () => {
        for (const { row, due } of rows) {
          memory.finish(row.seq);
          lane.nextDue = Math.min(lane.nextDue, due);
        }
        watchDue(lane);
      },
      (error: unknown) => {
        report("putting rows aside")(error);
        for (const { row } of rows) memory.finish(row.seq); // still in the table as they were; a sweep reads them again
      },
    );
  }

  // ---- reading ------------------------------------------------------------------------------------------------

  // `use` runs in the same turn as the answer and before the read is closed, so nothing finished meanwhile comes back.
  async function read(fn: HotFunction, asks: object[], use: (rows: TailRow[], read: number) => void): Promise<void> {
    const id = memory.beginRead();
    try {
      use(
        await db.call<TailRow>(
          fn,
          asks.map((ask) => JSON.stringify(ask)),
          clock.now(),
        ),
        id,
      );
    } finally {
      memory.endRead(id);
    }
  }

  async function readTail(which: number[]): Promise<number> {
    let asked = which.filter((slot) => slots.get(slot)?.ready);
    let found = 0;
    while (asked.length > 0 && !stopped) {
      const asks = asked.map((slot) => ({ slot, lo: slots.get(slot)?.watermark ?? 0 }));
      const counts = new Map<number, number>();
      await read(kind.queue.tail, asks, (rows, id) => {
        for (const row of rows) {
          const entry = slots.get(row.slot);
          if (!entry) continue;
          entry.watermark = Math.max(entry.watermark, row.seq);
          counts.set(row.slot, (counts.get(row.slot) ?? 0) + 1);
          accept(row, id);
        }
        found += rows.length;
      });
      asked = asked.filter((slot) => (counts.get(slot) ?? 0) >= TAIL_LIMIT);
    }
    return found;
  }

  async function nearSweep(): Promise<void> {
    const now = performance.now();
    const asks: object[] = [];
    for (const [slot, entry] of slots) {
      if (!entry.ready) continue;
      entry.marks.push({ at: now, watermark: entry.watermark });
      while ((entry.marks[1]?.at ?? now) < now - NEAR_SWEEP_BACK_MS) entry.marks.shift();
      const lo = entry.marks[0]?.watermark ?? entry.watermark;
      // Nothing was read in the last 15 s and nothing can have committed below the watermark late.
      if (lo < entry.watermark) asks.push({ slot, lo });
    }
    if (asks.length === 0) return;
    await read(kind.queue.tail, asks, acceptAll);
  }

  async function sweep(which: number[]): Promise<void> {
    if (which.length === 0) return;
    const found = await db.call<{ slot: number; lane: number }>(
      kind.queue.lanes,
      which.map((slot) => JSON.stringify({ slot })),
      clock.now(),
    );
    for (let i = 0; i < found.length; i += TAIL_LIMIT) {
      const part = found.slice(i, i + TAIL_LIMIT).filter(({ slot }) => slots.has(slot));
      // A lane with a full buffer is in no need of being found.
      const hungry = part.filter(({ lane }) => (lanes.get(lane)?.buffered ?? 0) < LANE_BUFFER / 4);
      if (hungry.length === 0) continue;
      const counts = new Map<number, number>();
      const asks = hungry.map(({ slot, lane }) => ({ slot, lane, lo: -1 }));
      await read(kind.queue.fresh, asks, (rows, id) => {
        for (const row of rows) {
          counts.set(row.lane, (counts.get(row.lane) ?? 0) + 1);
          accept(row, id);
        }
      });
      for (const { lane } of hungry) if ((counts.get(lane) ?? 0) >= LANE_BUFFER) lanes.get(lane)?.pass();
      await readDue(
        hungry.flatMap(({ slot, lane }) => laneOf(slot, lane) ?? []),
        true,
      );
    }
  }

  function refill(lane: Lane): void {
    const from = lane.refillFrom();
    if (from === null) return;
    let found = 0;
    read(kind.queue.fresh, [{ slot: lane.slot, lane: lane.lane, lo: from }], (rows, id) => {
      found = rows.length;
      acceptAll(rows, id);
    }).then(
      () => {
        lane.refilled(found < LANE_BUFFER);
        refill(lane);
      },
      (error: unknown) => {
        report("refill")(error);
        lane.refilled(false);
      },
    );
  }

  function watchDue(lane: Lane): void {
    if (lane.nextDue === Number.POSITIVE_INFINITY) return;
    if (lane.watched <= lane.nextDue) return; // an earlier look is on the heap already
    lane.watched = lane.nextDue;
    dueHeap.push(lane.nextDue, lane);
    armDue();
  }

  let cancelDue: (() => void) | null = null;
  let dueAt = Number.POSITIVE_INFINITY;
  function armDue(): void {
    const at = dueHeap.peek();
    if (at >= dueAt || stopped) return;
    cancelDue?.();
    dueAt = at;
    cancelDue = clock.after(at - clock.now(), () => {
      dueAt = Number.POSITIVE_INFINITY;
      void ringDue();
    });
  }

  async function ringDue(): Promise<void> {
    const now = clock.now();
    const due = new Set<Lane>();
    while (dueHeap.peek() <= now) {
      const lane = dueHeap.pop();
      if (!lane) break;
      lane.watched = Number.POSITIVE_INFINITY;
      if (lanes.get(lane.lane) === lane) due.add(lane);
    }
    try {
      await readDue([...due], false);
    } catch (error) {
      report("due rows")(error);
      for (const lane of due) {
        lane.nextDue = clock.now() + AGAIN_AFTER_MS;
        watchDue(lane);
      }
    }
    armDue();
  }

  async function readDue(which: Lane[], fromStart: boolean): Promise<void> {
    if (which.length === 0) return;
    const asks = which.map((lane) => {
      const cursor = fromStart ? NOTHING_READ : lane.dueCursor;
      return {
        slot: lane.slot,
        lane: lane.lane,
        due: cursor.due === Number.NEGATIVE_INFINITY ? "-infinity" : new Date(cursor.due).toISOString(),
        seq: cursor.seq,
      };
    });
    const now = clock.now();
    for (const lane of which) lane.nextDue = Number.POSITIVE_INFINITY;
    const counts = new Map<Lane, number>();
    await read(kind.queue.due, asks, (rows, id) => {
      for (const row of rows) {
        const lane = lanes.get(row.lane);
        if (!lane) continue;
        counts.set(lane, (counts.get(lane) ?? 0) + 1);
        if (row.due > now) {
          lane.nextDue = Math.min(lane.nextDue, row.due);
          continue;
        }
        if (row.due > lane.dueCursor.due || (row.due === lane.dueCursor.due && row.seq > lane.dueCursor.seq))
          lane.dueCursor = { due: row.due, seq: row.seq };
        accept(row, id);
      }
    });
    for (const lane of which) {
      const full = (counts.get(lane) ?? 0) >= DUE_LIMIT;
      if (full && lane.nextDue === Number.POSITIVE_INFINITY)
        lane.nextDue = lane.buffered >= LANE_BUFFER ? now + AGAIN_AFTER_MS : now;
      else lane.dueReadTo = Math.max(lane.dueReadTo, now);
      watchDue(lane);
      ringKeys(lane);
    }
  }

  // ---- time ---------------------------------------------------------------------------------------------------

  // Keys that wait for their pace or for rows in the table.
  function ringKeys(lane: Lane): void {
    const { released } = lane.ring(clock.now());
    if (released.length > 0 && kind.queue.unhold && lane.settings) {
      const { workspaceId } = lane.settings;
      const rows = released.map(({ key, until }) =>
        JSON.stringify({
          slot: lane.slot,
          lane: lane.lane,
          workspace_id: workspaceId,
          key,
          until: new Date(until).toISOString(),
        }),
      );
      db.call(kind.queue.unhold, rows, clock.now()).catch(report("letting go of held keys"));
    }
    scheduler.ready(lane);
  }

  async function checkStarted(): Promise<void> {
    const fn = kind.queue.started;
    if (!fn || !kind.settle || kind.settleAfterMs === undefined) return;
    const asked = [...lanes.values()].filter((lane) => lane.started.size > 0);
    if (asked.length === 0) return;
    const rows = asked.flatMap((lane) => [...lane.started.values()].map((row) => ({ lane, row })));
    const still = new Set(
      (
        await db.call<{ seq: number }>(
          fn,
          rows.map(({ row }) => JSON.stringify({ slot: row.slot, seq: row.seq })),
          clock.now(),
        )
      ).map((row) => row.seq),
    );
    for (const { lane, row } of rows) {
      if (!lane.started.has(row.seq)) continue;
      if (!still.has(row.seq)) {
        // Its former owner brought the outcome after all; what became of the row is read like any other.
        memory.finish(row.seq);
        lane.cleared(row, clock.now());
        scheduler.ready(lane);
        lane.nextDue = Math.min(lane.nextDue, clock.now());
        watchDue(lane);
      } else if ((row.startedAt ?? 0) + kind.settleAfterMs <= clock.now()) {
        const grip = gripOf(lane);
        if (!grip?.valid()) continue;
        lane.started.delete(row.seq);
        const disposition = await kind.settle(row, grip).catch((error: unknown): Disposition => {
          report("settling")(error);
          return { kind: "again" };
        });
        if (disposition.kind === "again") lane.started.set(row.seq, row);
        else {
          memory.finish(row.seq);
          lane.cleared(row, clock.now());
          if (disposition.kind === "later") lane.nextDue = Math.min(lane.nextDue, disposition.due);
          watchDue(lane);
          scheduler.ready(lane);
        }
      }
    }
  }

  function tidy(): void {
    for (const lane of lanes.values()) {
      ringKeys(lane);
      if (lane.idle()) drop(lane);
    }
  }

  // ---- loops --------------------------------------------------------------------------------------------------

  let wakeReader = (): void => {};
  async function tailLoop(): Promise<void> {
    let pause = POLL_LEAST_MS;
    while (!stopped) {
      await new Promise<void>((resolve) => {
        if (hinted.size > 0) return resolve();
        const timer = setTimeout(resolve, pause);
        timer.unref();
        wakeReader = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if (stopped) return;
      const all = hinted.size === 0;
      const which = all ? [...slots.keys()] : [...hinted];
      hinted.clear();
      try {
        const found = await readTail(which);
        const most = options.listening() ? POLL_MOST_MS : POLL_MOST_DEAF_MS;
        pause = found > 0 ? POLL_LEAST_MS : Math.min(most, pause * 2);
      } catch (error) {
        report("tail read")(error);
        pause = POLL_MOST_MS;
      }
    }
  }

  async function every(ms: number, name: string, fn: () => Promise<void> | void): Promise<void> {
    while (!stopped) {
      await new Promise<void>((resolve) => setTimeout(resolve, ms).unref());
      if (stopped) return;
      try {
        await fn();
      } catch (error) {
        report(name)(error);
      }
    }
  }

  async function slowLoop(): Promise<void> {
    let rest = SLOW_SWEEP_LEAST_MS;
    while (!stopped) {
      await new Promise<void>((resolve) => setTimeout(resolve, rest).unref());
      const before = performance.now();
      if (!stopped)
        await sweep([...slots].filter(([, entry]) => entry.ready).map(([slot]) => slot)).catch(report("slow sweep"));
      rest = Math.max(SLOW_SWEEP_LEAST_MS, (performance.now() - before) * SLOW_SWEEP_REST);
    }
  }

  const report = (what: string) => (error: unknown) => {
    if (!stopped) log.warn({ err: error, kind: kind.name }, `${what} failed; it will be tried again`);
  };

  void tailLoop();
  void slowLoop();
  void every(NEAR_SWEEP_EVERY_MS, "near sweep", nearSweep);
  void every(STARTED_CHECK_EVERY_MS, "looking at started rows", checkStarted);
  void every(TIDY_EVERY_MS, "tidying", () => {
    tidy();
    if (performance.now() - configuredAt > SETTINGS_EVERY_MS) {
      configuredAt = performance.now();
      for (const number of lanes.keys()) askSettings(number);
    }
  });

  return {
    gained,
    lost,
    surplus,
    hint(which) {
      for (const slot of which ?? slots.keys()) if (slots.has(slot)) hinted.add(slot);
      if (hinted.size > 0) wakeReader();
    },
    refresh(numbers) {
      for (const number of numbers) if (lanes.has(number)) askSettings(number);
    },
    async drain(ms) {
      draining = true;
      stopped = true;
      cancelDue?.();
      wakeReader();
      scheduler.stop();
      const deadline = performance.now() + ms;
      while (scheduler.inAir > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 5));
      abort.abort();
    },
    get inAir() {
      return scheduler.inAir;
    },
    get lanes() {
      return lanes.size;
    },
  };
}

const NOTHING_READ = { due: Number.NEGATIVE_INFINITY, seq: -1 };

const rowOf = (raw: TailRow): QueueRow => ({
  slot: raw.slot,
  lane: raw.lane,
  due: raw.due,
  seq: raw.seq,
  workspaceId: raw.workspace_id ?? "",
  itemId: raw.item_id,
  eventId: raw.event_id ?? "",
  key: raw.key,
  attempt: raw.attempt,
  state: raw.state,
  startedAt: raw.started_at,
  expiresAt: raw.expires_at,
});
