import type { DeferredRow } from "../lane/deferred-rows.ts";
import type { EndedHold } from "../lane/holds.ts";
import type { Advance } from "../lane/key-state.ts";
import type { Lane } from "../lane/lane.ts";
import type { Slots } from "../ownership/slots.ts";
import type { HeldRow } from "../queue.ts";
import type { DueSchedule } from "../reading/due-schedule.ts";
import { AGAIN_AFTER_MS, type RunnerState } from "../runner-state.ts";

/**
 * Keeps the table in step with the order of keys: rows of a crowded key get a `due`, holds that are over are deleted, and
 * holds of a former owner are restored.
 */
export class Defer {
  readonly #state: RunnerState;
  readonly #dues: DueSchedule;
  readonly #slots: Slots;

  constructor(state: RunnerState, dues: DueSchedule, slots: Slots) {
    this.#state = state;
    this.#dues = dues;
    this.#slots = slots;
  }

  /** Writes the lane's deferred rows to the table, moves what is to be moved there, and forgets the rows that were let go, where there are any. */
  write(lane: Lane): void {
    this.#advance(lane);
    const { kind, db, clock } = this.#state;
    for (const row of lane.passed?.takeReleased() ?? []) this.#state.finish(lane, row);
    if (lane.deferred.waiting === 0 || !kind.queue.defer || !this.#state.isCurrent(lane)) return; // a lane defers only where the queue can
    const rows = lane.deferred.take();
    lane.pin();
    db.call(kind.queue.defer, rows.map(deferRow), clock.now()).then(
      () => this.#written(lane, rows),
      (error: unknown) => {
        // Kept here until they are written: forgotten, they would be overtaken by their successors.
        this.#state.report("deferring rows", error);
        clock.after(AGAIN_AFTER_MS, () => {
          lane.unpin();
          lane.deferred.keep(rows);
          this.write(lane);
        });
      },
    );
  }

  #written(lane: Lane, rows: readonly DeferredRow[]): void {
    lane.unpin();
    lane.deferred.written(rows);
    if (!this.#state.isCurrent(lane)) return;
    this.#advance(lane);
    for (const { row, due } of rows) {
      this.#state.registry.finish(row.seq);
      this.#dues.expect(lane, due);
    }
    this.#slots.giveBackWhenEmpty(lane.slot);
  }

  #advance(lane: Lane): void {
    const { kind, db, clock } = this.#state;
    if (!kind.queue.advance || !lane.advances?.waiting || !this.#state.isCurrent(lane)) return;
    const advances = lane.advances.take(lane.deferred);
    if (advances.length === 0) return;
    lane.pin();
    const rows = advances.map((one) => advanceRow(lane, one));
    db.call(kind.queue.advance, rows, clock.now()).then(
      () => {
        lane.unpin();
        for (const one of advances) {
          lane.endAdvance(one);
          this.#dues.expect(lane, one.since);
        }
        this.#slots.giveBackWhenEmpty(lane.slot);
      },
      (error: unknown) => {
        this.#state.report("moving rows", error);
        clock.after(AGAIN_AFTER_MS, () => {
          lane.unpin();
          lane.advances?.add(...advances);
          this.#advance(lane);
        });
      },
    );
  }

  /** Moves rows of the lane that wait for nothing, which a former owner may have left (advances.ts): it was killed before it had moved them. */
  advanceLeft(lane: Lane): void {
    const { kind, db, clock } = this.#state;
    if (!kind.queue.advance || !this.#state.isCurrent(lane)) return;
    const now = clock.now();
    lane.pin();
    db.call(
      kind.queue.advance,
      [advanceRow(lane, { keys: null, from: 0, to: Number.MAX_SAFE_INTEGER, since: now })],
      now,
    ).then(
      () => {
        lane.unpin();
        this.#dues.expect(lane, now);
      },
      (error: unknown) => {
        lane.unpin();
        this.#state.report("moving rows", error);
        clock.after(AGAIN_AFTER_MS, () => this.advanceLeft(lane));
      },
    );
  }

  /** Lets keys go on whose pace, retry or hold is over (`only`: one key), and deletes the holds that are not needed any more. */
  resume(lane: Lane, only?: string): void {
    if (!this.#state.isCurrent(lane)) return;
    const ended = lane.resumeKeys(this.#state.clock.now(), this.#dues.readTo(lane), only);
    if (ended.length > 0) this.#deleteHolds(lane, ended);
    if (lane.buffered > 0) this.#state.startable.add(lane);
  }

  #deleteHolds(lane: Lane, ended: readonly EndedHold[]): void {
    const { kind, db, clock, membership, slots } = this.#state;
    const workspaceId = lane.settings?.workspaceId;
    const slot = slots.get(lane.slot);
    if (!kind.queue.unhold || workspaceId === undefined || !slot) return;
    const holds = ended.map(({ key, until }) => ({
      slot: lane.slot,
      lane: lane.number,
      workspace_id: workspaceId,
      key,
      until: new Date(until).toISOString(),
      worker: membership.worker,
      epoch: slot.epoch,
    }));
    // A hold that stays behind costs its key a pause after the next change of owner, no more.
    db.call(kind.queue.unhold, holds, clock.now()).catch((error) => this.#state.report("deleting holds", error));
  }

  /** Reads the holds of these slots (`only`: of some keys) into their lanes. */
  async restoreHolds(slots: readonly number[], only?: (lane: number, key: string) => boolean): Promise<void> {
    const { kind, db, clock, registry } = this.#state;
    if (!kind.queue.held || slots.length === 0) return;
    const begunAt = clock.monotonic();
    const read = registry.beginRead();
    try {
      const rows = await db.call(
        kind.queue.held,
        slots.map((slot) => ({ slot })),
        clock.now(),
      );
      const current = rows.filter(({ slot }) => this.#state.heldSince(slot, begunAt));
      const waiting = new Map<string, HeldRow>();
      for (const row of current) if (row.until === null) waiting.set(`${row.lane} ${row.key}`, row);
      for (const row of current) {
        if (row.until === null || (only && !only(row.lane, row.key))) continue;
        this.#restore(row, row.until, waiting.get(`${row.lane} ${row.key}`), registry.finishedSince(row.seq, read));
      }
    } finally {
      registry.endRead(read);
    }
  }

  /** `inTable`: the first row from the hold's `seq` on that has a `due`, and the one after it; `done`: the hold's own row has gone. */
  #restore(
    { slot, lane: number, key, seq }: HeldRow,
    until: number,
    inTable: HeldRow | undefined,
    done: boolean,
  ): void {
    const lane = this.#state.laneOf(slot, number);
    if (!lane) return;
    const ofRow = inTable?.seq === seq;
    const deferredFrom = (ofRow ? inTable?.next : inTable?.seq) ?? null;
    lane.restoreHold({ key, until, backingOff: ofRow && !done ? seq : null, deferredFrom });
    this.#dues.expect(lane, until);
    this.write(lane);
  }
}

const advanceRow = (
  { slot, number }: Lane,
  { keys, from, to, since }: Omit<Advance, "keys" | "first"> & { keys: readonly string[] | null },
) => ({ slot, lane: number, keys, lo: from, hi: to, due: new Date(since).toISOString() });

const deferRow = ({ row, due }: DeferredRow) => ({
  slot: row.slot,
  lane: row.lane,
  seq: row.seq,
  workspace_id: row.workspaceId,
  key: row.key,
  due: new Date(due).toISOString(),
});
