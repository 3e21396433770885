import type { Lane } from "./lane.ts";
import type { Owned, Slot } from "./owned.ts";

/** Slots coming and going: take-over, loss, giving back. */
export type Slots = {
  gained(slot: number, epoch: number): void;
  /** More than the fair share: empties this many and gives them back. */
  surplus(count: number): void;
  /** Something of the slot has landed; when it is being given back and nothing is left in the air, it goes. */
  settled(slot: number): void;
  /** Reads what the table says about held keys into their lanes. */
  readHeld(slots: readonly number[], only?: (lane: number, key: string) => boolean): Promise<void>;
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
/** A statement that writes queue rows takes no longer (`statement_timeout`). */
const LONGEST_WRITE_MS = 8_000;
const LOOK_AGAIN_MS = 5;
const WRITERS = `select array(select distinct l.virtualtransaction from pg_locks l
  where l.locktype = 'relation' and l.relation = $1::regclass and l.mode = 'RowExclusiveLock' and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database())) as writers`;

type HeldRow = { slot: number; lane: number; key: string; seq: number; until: number | null; next: number | null };

export function createSlots(owned: Owned, options: SlotsOptions): Slots {
  const { kind, db, clock, slots, lanes } = owned;

  function gained(number: number, epoch: number): void {
    const slot: Slot = {
      epoch,
      watermark: 0,
      marks: [],
      trail: [],
      readAt: 0,
      sweptTo: null,
      ready: false,
      draining: false,
    };
    slots.set(number, slot);
    void takeOver(number, slot);
  }

  // The watermark first (the sequence, never max(seq): that walks dead rows), then the order of keys, then what lies below
  // the watermark. Only when all of it is known something starts: else a row could overtake one that a former owner began.
  // Whoever is just writing has drawn numbers on both sides of the watermark and is waited for: else the tail would bring the
  // later ones of its rows, and a sweep only long after them the first.
  async function takeOver(number: number, slot: Slot): Promise<void> {
    const ours = (): boolean => slots.get(number) === slot && !owned.stopped;
    try {
      const last = await db.sql.query<{ seq: number | null }>(
        "select pg_sequence_last_value(pg_get_serial_sequence($1, 'seq')::regclass) as seq",
        [kind.queue.table],
      );
      slot.watermark = last[0]?.seq ?? 0;
      slot.readAt = clock.monotonic();
      slot.marks = [{ at: slot.readAt, watermark: slot.watermark }];
      slot.trail = [{ at: slot.readAt, watermark: slot.watermark, rows: 0 }];
      await writersGone();
      if (!ours()) return;
      await readHeld([number]);
      await options.sweep([number]);
      if (!ours()) return;
      slot.ready = true;
      for (const lane of lanes.values()) if (lane.slot === number) options.wake(lane);
      options.ready();
      clock.after(SECOND_SCAN_MS, () => {
        if (ours()) options.sweep([number]).catch(owned.report("second scan"));
      });
    } catch (error) {
      if (!ours()) return;
      owned.log.warn(
        { err: error, kind: kind.name, slot: number },
        "taking over a slot failed; it will be tried again",
      );
      clock.after(AGAIN_AFTER_MS, () => {
        if (ours()) void takeOver(number, slot);
      });
    }
  }

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
    if (!kind.queue.held) return;
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
    // Slots without lanes first: they cost nobody a pause. Any of them, not the lowest: lanes are numbered in turn, and a
    // small house's would all move together.
    const busy = new Set([...lanes.values()].map((lane) => lane.slot));
    const order = [...slots]
      .map(([number, slot]) => ({ number, slot, rank: Number(busy.has(number)) + Math.random() }))
      .sort((a, b) => a.rank - b.rank);
    for (const { number, slot } of order) {
      if (more <= 0) break;
      if (slot.draining) continue;
      slot.draining = true;
      more -= 1;
      for (const lane of lanes.values()) if (lane.slot === number) options.forget(lane);
      settled(number);
    }
  }

  function settled(number: number): void {
    if (!slots.get(number)?.draining) return;
    const mine = [...lanes.values()].filter((lane) => lane.slot === number);
    if (mine.some((lane) => lane.inAir + lane.pending > 0)) return;
    for (const lane of mine) owned.drop(lane);
    slots.delete(number);
    owned.membership().release(kind.name, number).catch(owned.report("release of a slot"));
  }

  return { gained, surplus, settled, readHeld };
}
