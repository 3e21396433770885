import { markDrawn, noteDrawn, type Owned, type Slot } from "../runner-state.ts";
import type { Intake, ReadRow } from "./row-reader.ts";
import { SeenRanges } from "./seen-ranges.ts";

/** Reads new rows of our slots in order of arrival: above a watermark that moves, and again a little below it. */
export type Tail = {
  /** Rows of these slots were committed; null: anything may have been. */
  hint(slots: readonly number[] | null): void;
  /** Looks at all slots now. */
  wake(): void;
  /** Reads until the runner stops. */
  run(): Promise<void>;
  /** Finds rows that committed late, below the watermark. */
  nearSweep(): Promise<void>;
};

/** Polling: from 50 ms after something was found to a second when idle and hints work. */
const POLL_LEAST_MS = 50;
const POLL_MOST_MS = 1_000;
const POLL_MOST_DEAF_MS = 100;
/**
 * Numbers are drawn before the commit, so a row may become visible below others that were read already. Each read goes back
 * to what was drawn this long before the read before it. A transaction that commits sooner after its number is read before
 * whatever was written after its commit, the next message that a client sends after the 202 among it.
 */
const OVERLAP_MS = 100;
/** How often it is asked which numbers were drawn, beyond those of rows that were read. */
const DRAWN_EVERY_MS = 250;
/** How close moments are for which it is known which numbers were drawn. */
const MARK_EVERY_MS = 10;
/**
 * Numbers that were drawn and that no row has shown: other slots', or of rows that were never committed. The watermark passes
 * so many of them, because their dead rows are walked by each read until they are vacuumed.
 */
const MANY_UNSEEN = 1_000;
/** Rows that committed later than that (bounded by `statement_timeout` 8 s) are found by reading again from this far back. */
const NEAR_SWEEP_BACK_MS = 15_000;
/**
 * Rows of all slots in one near sweep; in a flood the next sweep goes on where this one ended. A late row is found while it
 * lies less than 15 s back, so up to 120,000 waiting rows are covered; beyond that it is the slow sweep's.
 */
const NEAR_SWEEP_ROWS = 8_000;
/**
 * Rows of one read over all its slots, by which a flood in some of them keeps neither the others nor answers to clients
 * waiting: 270,000 rows a second were measured in the database, and taking them in takes longer.
 */
const PAGE_ROWS = 500;
/** Slots of one read of a near sweep. */
const NEAR_SWEEP_SLOTS = 4;

type Ask = { slot: number; lo: number };
/** A slot whose new rows take more than a page: where to go on, and when the first page was read. */
type Reading = { entry: Slot; lo: number; since: number };

export function createTail(owned: Owned, intake: Intake, listening: () => boolean): Tail {
  const { kind, clock, slots, drawn } = owned;
  const hinted = new Set<number>();
  const unfinished = new Map<number, Reading>();
  const seen = new SeenRanges();
  let wakeReader = (): void => {};
  let polledAt = Number.NEGATIVE_INFINITY;
  let sweptSlot = -1;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    let pause = POLL_LEAST_MS;
    while (!owned.stopped) {
      // Slots with more are read on together with those that were hinted meanwhile: a flood does not hold up its neighbours.
      if (unfinished.size === 0) await hintOr(pause);
      if (owned.stopped) return;
      const most = listening() ? POLL_MOST_MS : POLL_MOST_DEAF_MS;
      try {
        const found = await readTail(nextSlots(most));
        pause = found > 0 ? POLL_LEAST_MS : Math.min(most, pause * 2);
      } catch (error) {
        owned.report("tail read")(error);
        unfinished.clear();
        pause = POLL_MOST_MS;
        await after(POLL_LEAST_MS); // a hint must not turn a lasting failure into a spin
      }
    }
  }

  function hintOr(ms: number): Promise<void> {
    if (hinted.size > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      wakeReader = () => {
        cancel();
        resolve();
      };
    });
  }

  const after = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

  // Hinted slots only, but all of them once in a while: hints get lost, and busy slots must not hide the others.
  function nextSlots(most: number): number[] {
    const nothingElse = hinted.size + unfinished.size === 0;
    const all = nothingElse || clock.monotonic() - polledAt >= most;
    const which = all ? [...slots.keys()] : [...hinted];
    if (all) polledAt = clock.monotonic();
    hinted.clear();
    return which;
  }

  /** A page of new rows: of these slots, and of those that the page before had no room for. Answers how many there were. */
  async function readTail(which: readonly number[]): Promise<number> {
    let found = 0;
    const since = clock.monotonic();
    const reads = new Map(unfinished);
    for (const slot of which) {
      const entry = slots.get(slot);
      if (entry?.ready && !reads.has(slot)) reads.set(slot, { entry, lo: overlap(entry), since });
    }
    const asks = [...reads].flatMap(([slot, { entry, lo }]) => (slots.get(slot) === entry ? [{ slot, lo }] : []));
    unfinished.clear();
    if (asks.length === 0) return 0;
    seen.trim(Math.min(...asks.map(({ lo }) => lo)));
    const see = (entry: Slot, row: ReadRow): void => {
      if (row.seq <= entry.watermark) return;
      entry.watermark = row.seq;
      found += 1;
    };
    markSeen();
    const [more] = await Promise.all([readPage(asks, see, seen.text()), lookAtDrawn()]);
    for (const { slot, lo } of more) unfinished.set(slot, { ...(reads.get(slot) as Reading), lo });
    for (const [slot, { entry, since }] of reads) {
      if (unfinished.has(slot)) continue;
      entry.readAt = since;
      const then = drawnBefore(since - OVERLAP_MS);
      if (then !== null && then - entry.watermark > MANY_UNSEEN) entry.watermark = then;
    }
    return found;
  }

  async function lookAtDrawn(): Promise<void> {
    if (clock.monotonic() - askedAt < DRAWN_EVERY_MS) return;
    askedAt = clock.monotonic();
    await noteDrawn(owned);
  }

  function markSeen(): void {
    if (clock.monotonic() - (drawn.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < MARK_EVERY_MS) return;
    let highest = 0;
    for (const { watermark } of slots.values()) highest = Math.max(highest, watermark);
    markDrawn(owned, highest);
  }

  /** The last number of those whose rows the last read is sure to have seen. */
  function overlap({ watermark, opened, readAt }: Slot): number {
    const sure = readAt - OVERLAP_MS;
    if (sure <= opened.at) return opened.watermark;
    // Without a number from then (the database was away for long) the oldest that is known.
    return Math.max(opened.watermark, Math.min(watermark, drawnBefore(sure) ?? drawn[0]?.watermark ?? watermark));
  }

  const drawnBefore = (moment: number): number | null => drawn.findLast(({ at }) => at <= moment)?.watermark ?? null;

  async function nearSweep(): Promise<void> {
    let asks: Ask[] = [];
    for (const [slot, entry] of slots) {
      const lo = entry.ready ? moveMarks(entry) : null;
      if (lo !== null) asks.push({ slot, lo: Math.max(lo, entry.sweptTo ?? lo) });
    }
    // In turn, so that what one sweep has no room for is the first of the next.
    asks.sort((a, b) => a.slot - b.slot);
    const next = asks.findIndex(({ slot }) => slot > sweptSlot);
    if (next > 0) asks = [...asks.slice(next), ...asks.slice(0, next)];
    let left = NEAR_SWEEP_ROWS;
    while (asks.length > 0 && left > 0 && !owned.stopped) {
      const part = asks.splice(0, NEAR_SWEEP_SLOTS);
      const { rows, more } = await reread(part);
      left -= rows;
      sweptSlot = part.at(-1)?.slot ?? sweptSlot;
      asks.push(...more);
    }
  }

  /** Where the watermark stood 15 s ago; null when it has not moved since, so that nothing can have committed below it late. */
  function moveMarks(entry: Slot): number | null {
    const now = clock.monotonic();
    entry.marks.push({ at: now, watermark: entry.watermark });
    while ((entry.marks[1]?.at ?? now) < now - NEAR_SWEEP_BACK_MS) entry.marks.shift();
    const lo = entry.marks[0]?.watermark ?? entry.watermark;
    return lo < entry.watermark ? lo : null;
  }

  // How many rows there were, and the slots that have more below their watermark, each with where to go on.
  async function reread(asks: Ask[]): Promise<{ rows: number; more: Ask[] }> {
    let rows = 0;
    const pages = await readPage(asks, () => (rows += 1));
    const more = pages.filter(({ slot, lo }) => lo < (slots.get(slot)?.watermark ?? lo));
    for (const { slot } of asks) {
      const entry = slots.get(slot);
      if (entry) entry.sweptTo = more.find((next) => next.slot === slot)?.lo ?? null;
    }
    return { rows, more };
  }

  /** Takes what is above `lo` in each slot `but` for those seen, as much as a page holds; answers where to go on in those that had more. */
  async function readPage(
    asks: Ask[],
    see: (entry: Slot, row: ReadRow) => void,
    but: string | null = null,
  ): Promise<Ask[]> {
    const most = Math.ceil(PAGE_ROWS / asks.length);
    const reached = new Map<number, { rows: number; lo: number }>();
    const pages = asks.map((ask, index) => ({ ...ask, most, ...(index === 0 && but !== null ? { seen: but } : {}) }));
    await intake.read(kind.queue.tail, pages, (rows, read) => {
      for (const row of rows) {
        const entry = slots.get(row.slot);
        if (!entry) continue;
        reached.set(row.slot, { rows: (reached.get(row.slot)?.rows ?? 0) + 1, lo: row.seq });
        see(entry, row);
        intake.accept(row, read);
        seen.add(row.seq);
      }
    });
    return [...reached].flatMap(([slot, { rows, lo }]) => (rows >= most ? [{ slot, lo }] : []));
  }

  return {
    hint(which) {
      for (const slot of which ?? slots.keys()) if (slots.has(slot)) hinted.add(slot);
      if (hinted.size > 0) wakeReader();
    },
    wake: () => wakeReader(),
    run,
    nearSweep,
  };
}
