import { manualClock } from "../../testing/clock.ts";
import type { LaneSettings, QueueRow } from "../kind.ts";
import type { DeferredRow } from "../lane/deferred-rows.ts";
import { FRESH, type KeyPace } from "../lane/key-state.ts";
import { Lane } from "../lane/lane.ts";
import { READY, STARTED } from "../lane-kinds.ts";
import { laneSettings, queueRow } from "./rows.ts";

const ROOM = 10_000;
/** Longer than any test takes to work its rows off. */
const ROUNDS = 5_000;

type Call = { row: QueueRow; lane: Lane };

/**
 * One lane with its table, whose keys are joined in the table at any moment: its owner learns of it when it begins a row. Each
 * row that is begun is checked against what the table knows.
 */
export function joiningWorld({ pace, places }: { pace: KeyPace | null; places: number }) {
  const clock = manualClock();
  const table = new Map<number, QueueRow>();
  const held = new Map<string, { seq: number; until: number }>();
  const groups = new Map<string, { keys: string[]; since: number }>();
  const starts = new Map<string, number[]>();
  const done: number[] = [];
  const calls: Call[] = [];
  const sending: Call[] = [];
  let writing: DeferredRow[][] = [];
  let inMemory = new Set<number>();
  /** Rows that the lane has let go. */
  let passed = new Set<number>();
  let reads = 0;
  let lane = newLane();
  let since = clock.now();
  let readTo = FRESH;
  let seq = 0;

  function newLane(): Lane {
    const made = new Lane({ number: 1, slot: 1, clock, defers: true, passes: true });
    const more: Partial<LaneSettings> = { keyPace: pace, concurrency: { start: places, most: places } };
    made.configure(laneSettings(more));
    return made;
  }

  const groupOf = (key: string) => groups.get(key) ?? { keys: [key], since: FRESH };
  const keyOf = (row: QueueRow): string => row.key ?? "";
  const expectDue = (due: number): void => {
    readTo = Math.min(readTo, due - 1);
  };
  const hold = (key: string, at: number, until: number): void => {
    held.set(key, { seq: at, until: Math.max(until, held.get(key)?.until ?? FRESH) });
  };

  function takeIn(row: QueueRow, ofRefill = false): boolean {
    if (inMemory.has(row.seq)) return true;
    if (lane.add({ ...row }, clock.now(), ROOM, ofRefill) !== "kept") return false;
    inMemory.add(row.seq);
    passed.delete(row.seq);
    return true;
  }

  function read(): void {
    const now = clock.now();
    // A sweep finds also what was let go.
    const isSweep = (reads += 1) % 7 === 0;
    const due = [...table.values()].filter(
      (row) => row.due > FRESH && row.due <= now && (isSweep || !passed.has(row.seq)),
    );
    const stopped = due
      .toSorted((a, b) => a.due - b.due || a.seq - b.seq)
      .find((row) => !inMemory.has(row.seq) && !takeIn(row));
    readTo = stopped ? Math.max(readTo, stopped.due - 1) : now;
    const range = lane.beginRefill(ROOM);
    if (!range) return;
    const fresh = [...table.values()].filter((row) => row.due === FRESH && row.seq > range.lo).slice(0, range.most);
    for (const row of fresh) takeIn(row, true);
    lane.endRefill({ foundEnd: fresh.length < range.most, readTo: fresh.at(-1)?.seq ?? range.lo });
  }

  function readPassed(): void {
    const seqs = lane.passed?.toRead() ?? [];
    for (const seq of seqs) {
      const row = table.get(seq);
      if (row && !takeIn(row, true)) throw new Error(`row ${seq} was asked for and is not kept`);
    }
    lane.passed?.read(
      seqs,
      seqs.filter((seq) => !table.has(seq)),
    );
  }

  function release(): void {
    for (const row of lane.passed?.takeReleased() ?? []) {
      inMemory.delete(row.seq);
      passed.add(row.seq);
    }
  }

  function resume(only?: string): void {
    for (const { key, until } of lane.resumeKeys(clock.now(), readTo, only))
      if ((held.get(key)?.until ?? Number.POSITIVE_INFINITY) <= until) held.delete(key);
  }

  function start(): void {
    for (let next = lane.take(clock.now()); next && "row" in next; next = lane.take(clock.now()))
      calls.push({ row: next.row, lane });
    release();
    if (lane.deferred.waiting > 0) writing.push(lane.deferred.take());
  }

  function write(): void {
    const rows = writing.shift() ?? [];
    lane.deferred.written(rows);
    for (const { row, due } of rows) {
      const stored = table.get(row.seq);
      inMemory.delete(row.seq);
      if (stored?.state !== READY) throw new Error(`row ${row.seq} was deferred and is not ready`);
      stored.due = due;
      hold(keyOf(row), Math.min(row.seq, held.get(keyOf(row))?.seq ?? row.seq), due);
      expectDue(due);
    }
  }

  /** The database answers the call that came first. */
  function begin(): void {
    const call = calls.shift();
    if (!call || call.lane !== lane) return;
    const { row } = call;
    const { keys } = groupOf(keyOf(row));
    if (keys.length > lane.joinedWith(row)) {
      if (!lane.join(row, keys, clock.now())) throw new Error("a join that changed nothing");
      return start();
    }
    check(row, keys);
    const stored = table.get(row.seq);
    if (stored) stored.state = STARTED;
    sending.push(call);
  }

  function check(row: QueueRow, keys: readonly string[]): void {
    const stored = table.get(row.seq);
    if (stored?.state !== READY) throw new Error(`row ${row.seq} is begun twice`);
    const group = [...table.values()].filter((other) => keys.includes(keyOf(other)));
    const other = group.find(({ state }) => state === STARTED);
    if (other) throw new Error(`row ${row.seq} is begun while ${other.seq} is in flight`);
    const first = Math.min(...group.map((one) => one.seq));
    if (first < row.seq) throw new Error(`row ${row.seq} is begun before ${first}`);
    if (pace) checkPace(row, keys, pace);
  }

  function checkPace(row: QueueRow, keys: readonly string[], { everyMs, burst }: KeyPace): void {
    const now = clock.now();
    starts.set(keyOf(row), [...(starts.get(keyOf(row)) ?? []), now]);
    const from = Math.max(since, groupOf(keyOf(row)).since);
    const all = keys.flatMap((key) => starts.get(key) ?? []).filter((at) => at >= from);
    for (const [index, at] of all.toSorted((a, b) => a - b).entries()) {
      const count = all.length - index;
      // One more: a key that is forgotten may lack one token.
      if (count > burst + 1 + (now - at) / everyMs)
        throw new Error(`${count} starts of ${keys.join()} in ${now - at} ms`);
    }
  }

  /** One of the rows in flight is answered: `retry` in so many milliseconds, or done. */
  function land(index: number, retry: number | null): void {
    const [call] = sending.length > 0 ? sending.splice(index % sending.length, 1) : [];
    if (!call) return;
    const { row } = call;
    const stored = table.get(row.seq);
    if (!stored) throw new Error(`row ${row.seq} is gone`);
    const due = clock.now() + (retry ?? 0);
    if (retry === null) {
      done.push(row.seq);
      table.delete(row.seq);
    } else {
      Object.assign(stored, { state: READY, due });
      hold(keyOf(row), row.seq, due);
    }
    inMemory.delete(row.seq);
    if (call.lane !== lane) {
      restoreHolds();
      lane.removeOrphan(row, clock.now());
      expectDue(due);
    } else if (retry === null) {
      lane.finish(row, clock.now());
      if (row.due > FRESH) resume(keyOf(row));
    } else {
      lane.backOff(row, due, true, clock.now());
      expectDue(due);
    }
    start();
  }

  function restoreHolds(): void {
    const last = Math.max(...[...held.values()].map(({ until }) => until));
    for (const [key, { seq: from, until }] of held) {
      const out = [...table.values()].filter((row) => row.key === key && row.due > FRESH && row.due <= last);
      const [first, next] = out
        .map((row) => row.seq)
        .filter((one) => one >= from)
        .toSorted((a, b) => a - b);
      const ofRow = first === from;
      lane.restoreHold({
        key,
        until,
        backingOff: ofRow ? from : null,
        deferredFrom: (ofRow ? next : first) ?? null,
      });
      expectDue(until);
    }
  }

  const self = {
    done,
    held,
    land,
    write,
    begin,
    added: () => seq,
    lane: () => lane,
    /** Fresh rows, or such as were scheduled and are due. */
    add(count: number, key: string, areDue = false) {
      for (let n = 0; n < count; n++) {
        seq += 1;
        const row = queueRow(seq, areDue ? { key, due: clock.now() } : { key });
        table.set(seq, row);
        takeIn(row);
      }
      start();
    },
    /** The database could not be asked. */
    again() {
      const call = calls.shift();
      if (call?.lane === lane) lane.putBack(call.row, clock.now());
      start();
    },
    join(keys: readonly string[]) {
      const all = [...new Set(keys.flatMap((key) => groupOf(key).keys))];
      if (all.length < 2) return;
      const group = { keys: all, since: clock.now() };
      for (const key of all) groups.set(key, group);
    },
    time(ms: number) {
      clock.advance(ms);
      read();
      readPassed();
      resume();
      start();
    },
    changeOwner() {
      lane = newLane();
      since = clock.now();
      inMemory = new Set();
      passed = new Set();
      readTo = FRESH;
      writing = [];
      for (const row of table.values()) if (row.due === FRESH || row.state === STARTED) takeIn(row);
      read();
      restoreHolds();
      start();
    },
    finish() {
      for (let round = 0; (table.size > 0 || held.size > 0) && round < ROUNDS; round++) {
        while (writing.length + calls.length + sending.length > 0) {
          write();
          begin();
          land(0, null);
        }
        self.time(500);
      }
    },
  };
  return self;
}
