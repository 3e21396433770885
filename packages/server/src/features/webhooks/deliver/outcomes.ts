import type { App } from "../../../ctx.ts";
import { batchCalls } from "../../../db/batched.ts";
import type { Disposition, LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import { growing } from "../../../lib/backoff.ts";
import type { TighterLimits } from "../../../lib/batch.ts";
import { sqlState } from "../../../lib/error-fields.ts";
import { createQuietLog } from "../../../lib/quiet-log.ts";
import type { SafeResult } from "../../../lib/safe-fetch.ts";
import { slotsOfMask } from "../events/event.sql.ts";
import type { RenderedEvent } from "./body-cache.ts";
import { deliverOutcomes, type OutcomeAnswer, type OutcomeRow } from "./deliver.store.ts";
import { isGone, succeeded, waitAfter } from "./retry.ts";

/** What an attempt was about, as far as it is known. */
export type Known = { endpointId: string; event: RenderedEvent };

/** Commits what became of queue rows; each promise resolves when it is stored. */
export type Outcomes = {
  /** An attempt's result; `ready` null: nothing is known of endpoint and event, so only the queue row is written. */
  store(
    row: QueueRow,
    ready: Known | null,
    result: SafeResult,
    startedAt: number,
    claim: LaneClaim,
  ): Promise<Disposition>;
  /** Event or endpoint is gone, and the row goes too. */
  drop(row: QueueRow): Promise<Disposition>;
  /** The row waits for an earlier one of its conversation, which is due at `due`. */
  waitBehind(row: QueueRow, due: number): Promise<Disposition>;
  drained(): Promise<void>;
};

const STORE_AGAIN_MOST_MS = 2_000;
/** SQLSTATE of a row that no partition takes. */
const NO_PARTITION = "23514";

/** `random` gives 0 to 1, for the jitter of retries. */
export function createOutcomes(app: App, { random, tighter }: { random(): number; tighter: TighterLimits }): Outcomes {
  const { db, clock } = app;
  const quiet = createQuietLog(app.log, clock);
  const outcomes = batchCalls<OutcomeRow, OutcomeAnswer>({
    db,
    clock,
    fn: deliverOutcomes,
    group: (row) => row.workspace_id,
    tighter,
    committed: (answers) => app.notifier.hint("deliver", slotsOfMask(answers.at(-1)?.slots_mask)),
  });

  function store(
    row: QueueRow,
    ready: Known | null,
    result: SafeResult,
    startedAt: number,
    claim: LaneClaim,
  ): Promise<Disposition> {
    const n = row.attempt + 1;
    const now = clock.now();
    const waitMs = succeeded(result) || isGone(result) ? null : waitAfter(n, result, now, random);
    const verdict = succeeded(result) ? "succeeded" : isGone(result) ? "gone" : waitMs === null ? "failed" : "retry";
    const due = waitMs === null ? null : now + waitMs;
    return commit(
      row,
      {
        ...ticketOf(row),
        endpoint_id: ready?.endpointId ?? null,
        kind: ready?.event.kind ?? "",
        created_at: new Date(ready?.event.createdAt ?? now).toISOString(),
        result: verdict,
        due: due === null ? null : new Date(due).toISOString(),
        entry: {
          n,
          started_at: new Date(startedAt).toISOString(),
          duration_ms: result.durationMs,
          status_code: result.kind === "answer" ? result.status : null,
          outcome: verdict === "succeeded" ? "succeeded" : "failed",
          error: errorText(result),
          response: result.kind === "answer" ? result.snippet : null,
        },
        record: ready !== null,
      },
      claim,
      verdict === "retry" || verdict === "gone" ? { kind: "later", due: due ?? now, holdsKey: true } : { kind: "done" },
    );
  }

  function drop(row: QueueRow): Promise<Disposition> {
    return commit(row, { ...ticketOf(row), ...NOTHING, due: null, result: "dropped" }, null, { kind: "done" });
  }

  // Moved in the table too, right after the row it waits for: rows of one key are read again in the order of `seq`.
  function waitBehind(row: QueueRow, due: number): Promise<Disposition> {
    const moved = new Date(due).toISOString();
    return commit(row, { ...ticketOf(row), ...NOTHING, due: moved, result: "behind" }, null, {
      kind: "later",
      due,
      holdsKey: true,
    });
  }

  // An outcome is evidence: it is offered again until it is stored, and its delivery keeps its place in the air meanwhile.
  async function commit(
    row: QueueRow,
    outcome: OutcomeRow,
    claim: LaneClaim | null,
    then: Disposition,
  ): Promise<Disposition> {
    let offered = outcome;
    for (let round = 0; ; round++) {
      try {
        await outcomes.submit(offered);
        return then;
      } catch (error) {
        // The day of this delivery is no longer kept: parked for longer than its retention.
        if (sqlState(error) === NO_PARTITION && offered.record) {
          offered = { ...offered, record: false };
          continue;
        }
        quiet.warn(
          "outcome",
          { err: error, delivery_id: row.itemId, event_id: row.eventId, workspace_id: row.workspaceId },
          "storing an outcome failed; it is kept and tried again",
        );
        if (claim?.signal.aborted ?? false) return { kind: "again" };
        await new Promise<void>((resolve) => clock.after(growing(round, STORE_AGAIN_MOST_MS), resolve));
      }
    }
  }

  return { store, drop, waitBehind, drained: () => outcomes.drained() };
}

/** No attempt was made. */
const NOTHING = { endpoint_id: null, kind: "", created_at: new Date(0).toISOString(), entry: null, record: false };

const ticketOf = (row: QueueRow): Pick<OutcomeRow, "slot" | "seq" | "workspace_id" | "delivery_id" | "event_id"> => ({
  slot: row.slot,
  seq: row.seq,
  workspace_id: row.workspaceId,
  delivery_id: row.itemId,
  event_id: row.eventId,
});

function errorText(result: SafeResult): string | null {
  if (result.kind === "error") return result.detail;
  if (succeeded(result)) return null;
  return result.location === null
    ? `HTTP ${result.status}`
    : `HTTP ${result.status}, redirects are not followed (Location: ${result.location})`;
}
