import type { Lane } from "../lane/lane.ts";
import { noteDrawn, type Owned, type Slot } from "../runner-state.ts";

/** Slots coming and going: take-over, loss, giving back. */
export type Slots = {
  /** Slots, each with its epoch. */
  gained(slots: ReadonlyMap<number, number>): void;
  /** Taken from us: dropped at once. */
  gone(slots: readonly number[]): void;
  /** More than the fair share: empties this many and gives them back. */
  surplus(count: number): void;
  /** Something of the slot has landed; when it is being given back and nothing is left in the air, it goes. */
  settled(slot: number): void;
  /** Reads what the table says about held keys into their lanes. */
  readHeld(slots: readonly number[], only?: (lane: number, key: string) => boolean): Promise<void>;
  /** Slots of ours whose take-over takes longer than any should. */
  readonly unready: number;
};

export type SlotsOptions = {
  sweep(slots: readonly number[]): Promise<void>;
  watch(lane: Lane): void;
  wake(lane: Lane): void;
  /** A slot is ready: its tail may be read. */
  ready(): void;
  /** Nothing of the lane starts any more. */
  forget(lane: Lane): void;
};

/** After a take-over the slot is scanned once more for rows that committed late (`statement_timeout` 8 s bounds how late). */
const SECOND_SCAN_MS = 9_000;
const AGAIN_AFTER_MS = 1_000;
/** Slots swept by one read at a take-over: the first begin to work while the rest are looked at. */
const SWEEP_SLOTS = 8;
/** A million rows over 100,000 lanes are swept in one second, and writers are waited for 8 s; this much longer is a fault. */
const LONGEST_TAKE_OVER_MS = 15_000;
/**
 * A slot that is given back starts nothing new and waits this long for what is in the air, so that a number that hangs does
 * not stop its neighbours. What is out then ends as evidence, as at the stop of a process; its recipients alone wait for it.
 */
const DRAIN_MS = 1_000;
/** A statement that writes queue rows takes no longer (`statement_timeout`). */
const LONGEST_WRITE_MS = 8_000;
const LOOK_AGAIN_MS = 5;
const WRITERS = `select array(select distinct l.virtualtransaction from pg_locks l
  where l.locktype = 'relation' and l.relation = $1::regclass and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database())) as writers`;

type Taken = readonly [number: number, slot: Slot];
type HeldRow = { slot: number; lane: number; key: string; seq: number; until: number | null; next: number | null };

export function createSlots(owned: Owned, options: SlotsOptions): Slots {
  const { kind, db, clock, slots, lanes } = owned;

  function gained(taken: ReadonlyMap<number, number>): void {
    const since = clock.monotonic();
    for (const [number, epoch] of taken)
      slots.set(number, {
        epoch,
        watermark: 0,
        marks: [],
        opened: { at: since, watermark: 0 },
        readAt: 0,
        sweptTo: null,
        ready: false,
        since,
        draining: false,
      });
    void takeOver([...taken.keys()].map((number) => [number, slots.get(number) as Slot]));
  }

  function gone(numbers: readonly number[]): void {
    for (const number of numbers) {
      for (const lane of lanesOf(number)) owned.drop(lane);
      slots.delete(number);
    }
  }

  const lanesOf = (number: number): Lane[] => [...lanes.values()].filter((lane) => lane.slot === number);

  // The watermark first (the sequence, never max(seq): that walks dead rows), then the order of keys, then what lies below
  // the watermark. Only when all of it is known something starts: else a row could overtake one that a former owner began.
  // Whoever is just writing has drawn numbers on both sides of the watermark and is waited for: else the tail would bring the
  // later ones of its rows, and a sweep only long after them the first.
  async function takeOver(taken: readonly Taken[]): Promise<void> {
    const left = (): Taken[] => ours(taken).filter(([, slot]) => !slot.ready);
    try {
      await openTails(taken);
      await writersGone();
      await readHeld(left().map(([number]) => number));
      for (let some = left(); some.length > 0; some = left()) await open(some.slice(0, SWEEP_SLOTS));
    } catch (error) {
      owned.report("taking over slots")(error);
      clock.after(AGAIN_AFTER_MS, () => {
        if (left().length > 0) void takeOver(left());
      });
    }
  }

  async function openTails(taken: readonly Taken[]): Promise<void> {
    const watermark = await noteDrawn(owned);
    const at = clock.monotonic();
    for (const [, slot] of taken) {
      slot.watermark = watermark;
      slot.readAt = at;
      slot.marks = [{ at, watermark }];
      slot.opened = { at, watermark };
    }
  }

  async function open(taken: readonly Taken[]): Promise<void> {
    await options.sweep(taken.map(([number]) => number));
    for (const [number, slot] of ours(taken)) {
      slot.ready = true;
      for (const lane of lanesOf(number)) options.wake(lane);
    }
    options.ready();
    clock.after(SECOND_SCAN_MS, () => {
      options.sweep(ours(taken).map(([number]) => number)).catch(owned.report("second scan"));
    });
  }

  const ours = (taken: readonly Taken[]): Taken[] =>
    owned.stopped ? [] : taken.filter(([number, slot]) => slots.get(number) === slot);

  /** Waits for the transactions that are writing to the queue now; each of them holds this lock before it draws a number. */
  async function writersGone(): Promise<void> {
    const until = clock.monotonic() + LONGEST_WRITE_MS;
    const [{ writers } = { writers: [] }] = await db.sql.query<{ writers: string[] }>(WRITERS, [kind.queue.table]);
    let left = writers;
    while (left.length > 0 && clock.monotonic() < until && !owned.stopped) {
      await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_MS, resolve));
      const [now = { writers: [] }] = await db.sql.query<{ writers: string[] }>(WRITERS, [kind.queue.table]);
      left = left.filter((writer) => now.writers.includes(writer));
    }
  }

  async function readHeld(which: readonly number[], only?: (lane: number, key: string) => boolean): Promise<void> {
    if (!kind.queue.held || which.length === 0) return;
    const texts = which.map((slot) => JSON.stringify({ slot }));
    const rows = await db.call<HeldRow>(kind.queue.held, texts, clock.now());
    const waiting = new Map<string, HeldRow>();
    for (const row of rows) if (row.until === null) waiting.set(`${row.lane} ${row.key}`, row);
    for (const row of rows) {
      if (row.until === null || (only && !only(row.lane, row.key))) continue;
      const lane = owned.laneOf(row.slot, row.lane);
      if (!lane) continue;
      const inTable = waiting.get(`${row.lane} ${row.key}`);
      const backsOff = inTable?.seq === row.seq;
      lane.hold({
        key: row.key,
        until: row.until,
        retry: backsOff ? row.seq : null,
        from: (backsOff ? inTable?.next : inTable?.seq) ?? null,
      });
      options.watch(lane);
    }
  }

  function surplus(count: number): void {
    let more = count - [...slots.values()].filter(({ draining }) => draining).length;
    // Slots without lanes first, then those with nothing in the air: they cost nobody a pause. Any of them, not the lowest:
    // lanes are numbered in turn, and a small house's would all move together.
    const rank = new Map([...slots.keys()].map((number) => [number, Math.random()]));
    for (const lane of lanes.values()) {
      const busy = lane.inFlight + lane.pending > 0 ? 2 : 1;
      rank.set(lane.slot, Math.max(rank.get(lane.slot) ?? 0, busy + Math.random()));
    }
    for (const [number, slot] of [...slots].sort(([a], [b]) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0))) {
      if (more <= 0) break;
      if (slot.draining) continue;
      slot.draining = true;
      more -= 1;
      for (const lane of lanesOf(number)) options.forget(lane);
      settled(number);
      clock.after(DRAIN_MS, () => {
        if (slots.get(number) === slot) giveBack(number);
      });
    }
  }

  function settled(number: number): void {
    if (!slots.get(number)?.draining) return;
    if (!lanesOf(number).some((lane) => lane.inFlight + lane.pending > 0)) giveBack(number);
  }

  function giveBack(number: number): void {
    gone([number]);
    owned.membership.release(kind.name, number);
  }

  return {
    gained,
    gone,
    surplus,
    settled,
    readHeld,
    get unready() {
      const before = clock.monotonic() - LONGEST_TAKE_OVER_MS;
      return [...slots.values()].filter(({ ready, since }) => !ready && since < before).length;
    },
  };
}
