import type { Lane } from "../lane/lane.ts";
import type { PassedRows } from "../lane/passed-rows.ts";
import { READY } from "../lane-kinds.ts";
import type { RunnerState } from "../runner-state.ts";
import type { Defer } from "../working/defer.ts";
import type { RowReader } from "./row-reader.ts";

/** Reads the rows again that lanes have let go (lane/passed-rows.ts), when few of their key are left. */
export class NumberedRows {
  readonly #state: RunnerState;
  readonly #reader: RowReader;
  readonly #defer: Defer;

  constructor(state: RunnerState, reader: RowReader, defer: Defer) {
    this.#state = state;
    this.#reader = reader;
    this.#defer = defer;
  }

  /** Reads what is to be read now; `only`: of one key. */
  read(lane: Lane, only?: string): void {
    const { passed } = lane;
    if (passed === null || lane.closed || this.#state.stopped || !this.#state.isCurrent(lane)) return;
    const seqs = passed.toRead(only);
    if (seqs.length > 0) void this.#read(lane, passed, seqs);
  }

  async #read(lane: Lane, passed: PassedRows, seqs: readonly number[]): Promise<void> {
    const { kind, clock } = this.#state;
    if (kind.queue.numbered === null) return; // such a lane lets no row go
    lane.pin();
    try {
      const asks = seqs.map((seq) => ({ slot: lane.slot, seq }));
      const rows = await this.#reader.read(kind.queue.numbered, asks, { ofRefill: true });
      const now = clock.now();
      const found = new Set(rows.filter(({ state, due }) => state === READY && due <= now).map(({ seq }) => seq));
      passed.read(
        seqs,
        seqs.filter((seq) => !found.has(seq)),
      );
    } catch (error) {
      // Asked for again when the lanes are tidied.
      passed.read(seqs, []);
      this.#state.report("reading rows", error);
    } finally {
      lane.unpin();
    }
    this.#defer.resume(lane);
  }
}
