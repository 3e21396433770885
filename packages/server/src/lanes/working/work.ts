import { setMaxListeners } from "node:events";
import type { Disposition, LaneClaim, QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import { PacedQueue } from "../lane/paced-queue.ts";
import type { Owned } from "../runner-state.ts";

/** Starts rows and takes in what became of them. */
export type Work = {
  /** False when the lane may not start anything now; the row is back in it. Else `landed` is called once the row has left the air. */
  start(lane: Lane, row: QueueRow, landed: () => void): boolean;
  /** The right to work rows of the lane; null when it is not ours. */
  claimOf(lane: Lane): LaneClaim | null;
  /** Nothing starts any more. */
  stop(): void;
  /** Ends what is still in the air. */
  abort(): void;
};

export type WorkOptions = {
  wake(lane: Lane): void;
  /** The row's `due` was moved. */
  watch(lane: Lane): void;
  /** A row of the lane has gone: there is room for more. */
  refill(lane: Lane): void;
  /** A row that came back from the table has gone: what waited for it may go. */
  ring(lane: Lane, key: string): void;
  /** A row of a slot that is being given back has landed. */
  settled(slot: number): void;
};

/** A row whose work failed because the database was away waits this long. */
const AGAIN_AFTER_MS = 500;

export function createWork(owned: Owned, options: WorkOptions): Work {
  const { kind, clock, lanes, slots, memory } = owned;
  const claims = new WeakMap<Lane, LaneClaim>();
  const abort = new AbortController();
  // Everything in the air listens to it.
  setMaxListeners(0, abort.signal);
  let stopped = false;

  function start(lane: Lane, row: QueueRow, landed: () => void): boolean {
    const claim = claimOf(lane);
    if (stopped || !claim?.valid() || slots.get(lane.slot)?.draining) {
      lane.putBack(row);
      return false;
    }
    kind.work(row, claim).then(
      (disposition) => land(lane, row, disposition, landed),
      (error: unknown) => {
        owned.report("work")(error);
        land(lane, row, { kind: "again" }, landed);
      },
    );
    return true;
  }

  function land(lane: Lane, row: QueueRow, disposition: Disposition, landed: () => void): void {
    landed();
    if (disposition.kind === "again") {
      clock.after(AGAIN_AFTER_MS, () => {
        lane.putBack(row);
        goOn(lane);
      });
      return;
    }
    const now = clock.now();
    const current = lanes.get(lane.lane) === lane;
    if (current) memory.finish(row.seq);
    if (disposition.kind === "later") {
      lane.backOff(row, disposition.due, disposition.holdsKey, now);
      if (current) options.watch(lane);
    } else {
      lane.finish(row, now);
      if (current && row.key !== null && row.due > Number.NEGATIVE_INFINITY) options.ring(lane, row.key);
    }
    goOn(lane);
  }

  function goOn(lane: Lane): void {
    if (lanes.get(lane.lane) !== lane) return;
    if (slots.get(lane.slot)?.draining) options.settled(lane.slot);
    else {
      options.wake(lane);
      options.refill(lane);
    }
  }

  function claimOf(lane: Lane): LaneClaim | null {
    const slot = slots.get(lane.slot);
    if (!slot || lanes.get(lane.lane) !== lane) return null;
    const known = claims.get(lane);
    if (known) return known;
    const membership = owned.membership;
    const worker = membership.worker;
    const claim: LaneClaim = {
      worker,
      epoch: slot.epoch,
      valid: () => membership.worker === worker && membership.valid() && slots.get(lane.slot) === slot,
      departure: departureOf(lane),
      pause: (ms) => lane.pace?.pause(clock.monotonic(), ms),
      report: (good) => lane.report(good),
      signal: abort.signal,
    };
    claims.set(lane, claim);
    return claim;
  }

  // Intents are paced when they are made; this second pace at the socket evens out what a slow commit bunched up.
  function departureOf(lane: Lane): () => Promise<void> {
    const gate = new PacedQueue(clock);
    return async () => {
      gate.setRate(lane.settings?.ratePerSecond ?? null);
      lane.leaving += 1;
      await gate.pass();
      lane.leaving -= 1;
      if (lane.leaving === 0) goOn(lane);
    };
  }

  return {
    start,
    claimOf,
    stop() {
      stopped = true;
    },
    abort: () => abort.abort(),
  };
}
