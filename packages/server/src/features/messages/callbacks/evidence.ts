import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../../ctx.ts";
import { batchCalls } from "../../../db/batched.ts";
import type { Disposition, QueueRow } from "../../../lanes/kind.ts";
import { growing } from "../../../lib/backoff.ts";
import { createQuietLog } from "../../../lib/quiet-log.ts";
import type { Listeners } from "../../webhooks/endpoints/listeners.ts";
import { slotsOfMask } from "../../webhooks/events/event.sql.ts";
import { type SendResultAnswer, type SendResultRow, settleSends } from "../dispatch/dispatch.store.ts";
import type { MessageError } from "../message-error.ts";

/** What became of an attempt; of none when `attempt` is 0. */
export type Result = {
  outcome: SendResultRow["outcome"];
  error: MessageError | null;
  providerMessageId?: string;
  /** Milliseconds since the epoch: when the row comes again. */
  due?: number;
  /** Of `unwritten`: who asked for the attempt. */
  worker?: string;
};

/** Commits what became of sends. */
export type Evidence = {
  /** Resolves when it is stored, however long that takes: what the provider said must not be lost to a restart of the database. */
  store(row: QueueRow, attempt: number, result: Result): Promise<Disposition>;
  /** Resolves when nothing waits to be stored, between two tries neither. */
  drained(): Promise<void>;
};

/** What could not be stored is offered again, with pauses that grow up to this. */
const STORE_AGAIN_MOST_MS = 2_000;

/** A retry keeps its recipient's order, and so does what was never written; a lost answer blocks nobody. */
const HOLDS_KEY: ReadonlySet<Result["outcome"]> = new Set(["retry", "unwritten"]);

const KIND_OF_EVENT: Partial<Record<Result["outcome"], string>> = {
  accepted: "accepted",
  failed: "failed",
  expired: "expired",
  unknown: "unknown",
  silence: "unknown",
};

export function createEvidence({ db, clock, log, notifier }: App, listeners: Listeners): Evidence {
  const quiet = createQuietLog(log, clock);
  const storing = new Set<Promise<Disposition>>();
  const results = batchCalls<SendResultRow, SendResultAnswer>({
    db,
    clock,
    fn: settleSends,
    group: (row) => row.workspace_id,
    weight: ({ workspace_id, outcome }) => {
      const kind = KIND_OF_EVENT[outcome];
      return kind === undefined ? 1 : listeners.weightOf(workspace_id, kind);
    },
    committed: (answers) => notifier.hint("deliver", slotsOfMask(answers.at(-1)?.slots_mask)),
  });

  function store(row: QueueRow, attempt: number, result: Result): Promise<Disposition> {
    const stored = keepStoring(row, attempt, result);
    storing.add(stored);
    return stored.finally(() => storing.delete(stored));
  }

  // Kept in its place in the air meanwhile.
  async function keepStoring(row: QueueRow, attempt: number, result: Result): Promise<Disposition> {
    const due = result.due === undefined ? null : Math.ceil(result.due);
    const stored: SendResultRow = {
      slot: row.slot,
      seq: row.seq,
      workspace_id: row.workspaceId,
      message_id: row.itemId,
      attempt,
      outcome: result.outcome,
      at: new Date(clock.now()).toISOString(),
      provider_message_id: result.providerMessageId ?? null,
      error: result.error,
      due: due === null ? null : new Date(due).toISOString(),
      lane: row.lane,
      recipient: row.key ?? "0",
      worker: result.worker ?? null,
    };
    for (let round = 0; ; round++) {
      try {
        const { done } = await results.submit(stored);
        return done
          ? { kind: "done" }
          : { kind: "later", due: due ?? clock.now(), holdsKey: HOLDS_KEY.has(result.outcome) };
      } catch (error) {
        quiet.warn(
          "outcome",
          { err: error, workspace_id: row.workspaceId, message_id: row.itemId, waiting: storing.size },
          "storing an outcome failed; it is kept and tried again",
        );
        // Not the clock's timer: what is kept here keeps the process alive while it stops.
        await sleep(growing(round, STORE_AGAIN_MOST_MS));
      }
    }
  }

  async function drained(): Promise<void> {
    while (storing.size > 0) await Promise.all(storing);
  }

  return { store, drained };
}
