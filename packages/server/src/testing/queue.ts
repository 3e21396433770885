import type { App } from "../ctx.ts";
import type { LaneClaim, QueueRow } from "../lanes/kind.ts";
import type { Queue, ReadRow } from "../lanes/queue.ts";

/** All rows of a queue in these slots, of every workspace, in the order of `seq`, as the owner of their lanes reads them. */
export async function readQueue(
  { db, clock }: Pick<App, "db" | "clock">,
  queue: Queue,
  slots: readonly number[],
): Promise<QueueRow[]> {
  const asks = slots.map((slot) => ({ slot, lo: -1, most: 10_000, seen: null }));
  const rows = await db.call(queue.tail, asks, clock.now());
  return rows.map(queueRow).toSorted((a, b) => a.seq - b.seq);
}

const queueRow = (row: ReadRow): QueueRow => ({
  slot: row.slot,
  lane: row.lane,
  due: row.due,
  seq: row.seq,
  workspaceId: row.workspace_id ?? "",
  itemId: row.item_id,
  eventId: row.event_id ?? "",
  key: row.key ?? null,
  attempt: row.attempt,
  state: 0,
  startedAt: null,
  expiresAt: null,
});

/** A lane claim that is valid until the test sets `lost`. */
export type TestClaim = LaneClaim & { lost: boolean; abort: AbortController };

export function testClaim(): TestClaim {
  const abort = new AbortController();
  const claim: TestClaim = {
    worker: "w",
    epoch: 1,
    lost: false,
    valid: () => !claim.lost,
    departure: () => Promise.resolve(),
    joinedWith: () => 1,
    pause: () => undefined,
    slow: () => undefined,
    signal: abort.signal,
    abort,
  };
  return claim;
}
