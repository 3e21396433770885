import type { QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import type { DueSchedule } from "../reading/due-schedule.ts";
import type { RunnerState } from "../runner-state.ts";
import type { Defer } from "./defer.ts";
import type { Work } from "./work.ts";

type Orphan = { lane: Lane; row: QueueRow };

/**
 * Rows whose attempt was begun by a former owner. Its worker may still store the outcome, whether it has a lease or not; when
 * it has not until the deadline, the kind settles them. The other rows of the lane go on meanwhile.
 */
export class OrphanedAttempts {
  readonly #state: RunnerState;
  readonly #work: Work;
  readonly #dues: DueSchedule;
  readonly #defer: Defer;

  constructor(state: RunnerState, work: Work, dues: DueSchedule, defer: Defer) {
    this.#state = state;
    this.#work = work;
    this.#dues = dues;
    this.#defer = defer;
  }

  /** Looks at all orphans once: forgets those whose outcome was stored, settles those whose deadline has passed. */
  async look(): Promise<void> {
    const { kind, db, clock, lanes } = this.#state;
    if (!kind.queue.started || !kind.settle || kind.settleAfterMs === undefined) return;
    const all: Orphan[] = [];
    for (const lane of lanes.values()) for (const row of lane.orphans.values()) all.push({ lane, row });
    if (all.length === 0) return;
    const places = all.map(({ row }) => ({ slot: row.slot, seq: row.seq }));
    const answers = await db.call(kind.queue.started, places, clock.now());
    const still = new Set(answers.map(({ seq }) => seq));
    const orphans = all.filter(({ lane, row }) => this.#state.isCurrent(lane) && lane.orphans.has(row.seq));
    await this.#forget(orphans.filter(({ row }) => !still.has(row.seq)));
    const overdue = clock.now() - kind.settleAfterMs;
    const due = orphans.filter(({ row }) => still.has(row.seq) && (row.startedAt ?? 0) <= overdue);
    const settled = await Promise.all(due.map((orphan) => this.#settle(orphan)));
    // In the moment before, its former owner may have stored a retry, which settling does not change.
    await this.#forget(due.filter((_, index) => settled[index]));
  }

  // An outcome was stored. The row, if it is still in the table, is read like any other; its order is in the table too.
  async #forget(gone: readonly Orphan[]): Promise<void> {
    if (gone.length === 0) return;
    // Its hold may have been written under another key that was joined with its own.
    const place = (lane: Lane, key: string): string => `${lane.number} ${lane.nameOf(key)}`;
    const keys = new Set(gone.map(({ lane, row }) => place(lane, row.key ?? "")));
    const slots = [...new Set(gone.map(({ lane }) => lane.slot))];
    const { lanes } = this.#state;
    await this.#defer.restoreHolds(slots, (number, key) => {
      const lane = lanes.get(number);
      return lane !== undefined && keys.has(place(lane, key));
    });
    for (const { lane, row } of gone) {
      this.#remove(lane, row);
      const due = row.due > Number.NEGATIVE_INFINITY ? row.due : (row.startedAt ?? this.#state.clock.now());
      this.#dues.expect(lane, due);
      this.#work.goOn(lane);
    }
  }

  /** True when that was stored. */
  async #settle({ lane, row }: Orphan): Promise<boolean> {
    const { kind } = this.#state;
    const claim = this.#work.claimOf(lane);
    if (!claim?.valid() || !kind.settle) return false;
    lane.pin();
    try {
      const disposition = await kind.settle(row, claim);
      return disposition.kind !== "again" && disposition.kind !== "joined";
    } catch (error) {
      this.#state.report("settling", error);
      return false;
    } finally {
      lane.unpin();
      this.#work.goOn(lane);
    }
  }

  #remove(lane: Lane, row: QueueRow): void {
    this.#state.finish(lane, row);
    lane.removeOrphan(row, this.#state.clock.now());
  }
}
