import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../../db/batched.ts";
import type { Disposition, LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import { type OutcomeStore, storeOutcome } from "../../../lanes/store-outcome.ts";
import { Gathering } from "../../../lib/batch/gathering.ts";
import type { TighterLimits } from "../../../lib/batch/options.ts";
import type { Clock } from "../../../lib/clock.ts";
import { sqlState } from "../../../lib/error-fields.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import type { Log } from "../../../lib/log.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import type { SafeResult } from "../../../lib/safe-fetch/safe-fetch.ts";
import { hintCommitted } from "../../events/event.ts";
import { type AttemptEntry, deliverOutcomes, type OutcomeRow } from "./deliver.store.ts";
import type { RenderedEvent } from "./event-body.ts";
import type { FailingEndpoints } from "./failing-endpoints.ts";
import { isTrouble, judge, succeeded, type Verdict } from "./retry.ts";

/** The endpoint (uuid), its version and the event of an attempt. */
export type AttemptSubject = { endpointId: string; version: number; event: RenderedEvent };

/** SQLSTATE of a row that belongs to no partition. */
const NO_PARTITION = "23514";
/**
 * Successes wait so long for company before they are stored. A crash meanwhile repeats them, with the same ids: some ten at a number's own
 * speed. Alone, each would cost a call of the database.
 */
const COMPANY = { ms: 30, rows: 100, characters: 256 * 1_024 };
/** Successes that are not stored yet; with more, their lanes wait for the database, and the receivers with them. */
const MOST_UNSTORED = 1_000;
/** Characters of a success without the receiver's answer. */
const SUCCESS_CHARACTERS = 600;
/** The result of an attempt that failed here before anything was sent. */
export const UNPREPARED: SafeResult = {
  kind: "error",
  fault: "aborted",
  detail: "The gateway could not prepare this delivery.",
  durationMs: 0,
};

/**
 * What follows an attempt: its result is judged by `retry.ts` and stored. Each promise resolves when the database has committed
 * the outcome, and says whether the receiver coped.
 */
export class Outcomes {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #quiet: QuietLog;
  readonly #random: App["random"];
  readonly #failing: FailingEndpoints;
  readonly #batch: CallsOf<typeof deliverOutcomes>;
  readonly #store: OutcomeStore<OutcomeRow, unknown>;
  readonly #gathering: Gathering<OutcomeRow, unknown>;
  /** As `#store`, for what may wait. */
  readonly #patient: OutcomeStore<OutcomeRow, unknown>;
  #unstored = 0;
  readonly #count: (of: { outcome: Verdict["kind"] }) => void;
  readonly #time: (of: Record<never, never>, seconds: number) => void;

  constructor(app: App, failing: FailingEndpoints, tighter: TighterLimits) {
    const { db, clock, log, notifier, random } = app;
    this.#clock = clock;
    this.#log = log;
    this.#quiet = new QuietLog(log, clock);
    this.#random = random;
    this.#failing = failing;
    this.#batch = new BatchedCalls({
      db,
      clock,
      fn: deliverOutcomes,
      rests: true,
      group: (row) => row.workspace_id,
      tighter,
      committed: (answers) => hintCommitted(notifier, answers),
    });
    this.#count = app.metrics.counter({
      name: "waypost_deliveries_total",
      help: "Attempts to post a webhook by what followed: succeeded, retry, failed (given up), gone (410; the endpoint is disabled, unless it was changed meanwhile).",
      labels: { outcome: ["succeeded", "retry", "failed", "gone"] },
    });
    this.#time = app.metrics.histogram({
      name: "waypost_delivery_seconds",
      help: "Time of an attempt to post a webhook.",
      labels: {},
    });
    this.#store = {
      clock,
      calls: this.#batch,
      offersAgain: (error, outcome, claim) => this.#offersAgain(error, outcome, claim),
    };
    this.#gathering = new Gathering({
      ...COMPANY,
      calls: this.#batch,
      clock,
      size: ({ entry }) => SUCCESS_CHARACTERS + (entry?.response?.length ?? 0),
    });
    this.#patient = { ...this.#store, calls: this.#gathering };
  }

  /**
   * Stores the result of an attempt that began at `startedAt` (milliseconds), and logs the delivery. A success without an order is stored
   * a moment later with others; its lane goes on at once.
   */
  async store(
    row: QueueRow,
    known: AttemptSubject,
    result: SafeResult,
    startedAt: number,
    claim: LaneClaim,
  ): Promise<Disposition> {
    const isOrdered = claim.joinedWith(row) > 0;
    if (isOrdered || this.#unstored >= MOST_UNSTORED || !succeeded(result))
      return await this.#storeAndLog(this.#store, row, known, result, startedAt, claim);
    this.#unstored += 1;
    const stored = this.#storeAndLog(this.#patient, row, known, result, startedAt, claim);
    return { kind: "answered", coped: true, stored: stored.finally(() => (this.#unstored -= 1)) };
  }

  async #storeAndLog(
    store: OutcomeStore<OutcomeRow, unknown>,
    row: QueueRow,
    known: AttemptSubject,
    result: SafeResult,
    startedAt: number,
    claim: LaneClaim,
  ): Promise<Disposition> {
    const disposition = await this.#storeAttempt(store, row, known, result, startedAt, claim);
    this.#log.info(
      {
        workspace_id: row.workspaceId,
        webhook_endpoint_id: known.endpointId,
        delivery_id: row.itemId,
        event_id: row.eventId,
        message_id: known.event.messageId ?? undefined,
        event: known.event.kind,
        attempt: row.attempt + 1,
        status: result.kind === "answer" ? result.status : undefined,
        fault: result.kind === "error" ? result.fault : undefined,
        next: disposition.kind,
        due: disposition.kind === "later" ? isoTime(disposition.due) : undefined,
        ms: result.durationMs,
      },
      "delivery",
    );
    return disposition;
  }

  /**
   * Stores a failure of ours (a row that cannot be rendered, a secret that cannot be decrypted). It uses up an attempt and
   * waits as the schedule says, like any other failure, so that it neither spins nor blocks its neighbours. Without `known`
   * only the queue row is written.
   */
  storeUnprepared(row: QueueRow, known: AttemptSubject | null, error: unknown, claim: LaneClaim): Promise<Disposition> {
    this.#log.error(
      { err: error, delivery_id: row.itemId, event_id: row.eventId, workspace_id: row.workspaceId },
      "a delivery could not be prepared",
    );
    return this.#storeAttempt(this.#store, row, known, UNPREPARED, this.#clock.now(), claim);
  }

  async #storeAttempt(
    store: OutcomeStore<OutcomeRow, unknown>,
    row: QueueRow,
    known: AttemptSubject | null,
    result: SafeResult,
    startedAt: number,
    claim: LaneClaim,
  ): Promise<Disposition> {
    const n = row.attempt + 1;
    const now = this.#clock.now();
    const { kind: verdict, waitMs } = judge(n, result, now, this.#random);
    // A failure of ours says nothing about the receiver, and neither does a refusal of one row.
    const coped = verdict === "succeeded" ? true : result !== UNPREPARED && isTrouble(result) ? false : undefined;
    const says = this.#newsOf(row, verdict, result);
    const due = verdict === "gone" ? now : waitMs === null ? null : now + waitMs;
    // Given up at the end of a stop only: a delivery is made at least once, so the next owner makes it again.
    const stored = await storeOutcome(
      store,
      {
        endpoint_id: known?.endpointId ?? null,
        endpoint_version: known?.version ?? null,
        kind: known?.event.kind ?? "",
        created_at: isoTime(known?.event.createdAt ?? now),
        result: verdict,
        due: due === null ? null : isoTime(due),
        entry: attemptEntry(n, verdict, result, startedAt),
        record: known !== null,
        says,
        // Last: a field that is added to a copy costs half a microsecond, and many make the row slow to read.
        ...ticketOf(row),
      },
      claim,
    );
    if (stored === null) return { kind: "again" };
    if (says === "recovered") this.#failing.recovered(row.lane);
    this.#count({ outcome: verdict });
    this.#time({}, result.durationMs / 1_000);
    return due === null ? { kind: "done", coped } : { kind: "later", due, holdsKey: true, coped };
  }

  /** What an attempt says of an endpoint that is or was failing; undefined, which is not in the call, where its row stays as it is. */
  #newsOf({ lane }: QueueRow, verdict: Verdict["kind"], result: SafeResult): "failed" | "recovered" | undefined {
    if (verdict === "succeeded") return this.#failing.has(lane) ? "recovered" : undefined;
    if (verdict !== "retry" || result === UNPREPARED) return undefined;
    this.#failing.failed(lane);
    return "failed";
  }

  /** Removes the row: its event or its endpoint no longer exists. */
  drop(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    return this.#commit({ ...ticketOf(row), ...NOTHING, due: null, result: "dropped" }, claim, { kind: "done" });
  }

  /** Moves the row behind an earlier one of its conversation, which is due at `due` (milliseconds), or earlier by now. */
  waitBehind(row: QueueRow, due: number, claim: LaneClaim): Promise<Disposition> {
    // Moved in the table too, to the same time: rows of one key are then read again in the order of `seq`.
    const moved = { ...ticketOf(row), ...NOTHING, due: isoTime(due), result: "behind" as const };
    return this.#commit(moved, claim, { kind: "later", due, from: this.#clock.now(), holdsKey: true });
  }

  async #commit(outcome: OutcomeRow, claim: LaneClaim, then: Disposition): Promise<Disposition> {
    return (await storeOutcome(this.#store, outcome, claim)) === null ? { kind: "again" } : then;
  }

  #offersAgain(error: unknown, outcome: OutcomeRow, claim: LaneClaim): boolean {
    const { delivery_id, event_id, workspace_id, record } = outcome;
    // The partition of this delivery's day has been dropped: it was parked for longer than its retention.
    if (record && sqlState(error) === NO_PARTITION) outcome.record = false;
    else
      this.#quiet.warn(
        "outcome",
        { err: error, delivery_id, event_id, workspace_id },
        "storing an outcome failed; it is kept and tried again",
      );
    return !claim.signal.aborted;
  }

  /** Resolves when no outcome is being written or waits for it. */
  drained(): Promise<void> {
    this.#gathering.leave();
    return this.#batch.drained();
  }
}

/** The columns of an outcome without an attempt. */
const NOTHING = {
  endpoint_id: null,
  endpoint_version: null,
  kind: "",
  created_at: isoTime(0),
  entry: null,
  record: false,
  says: undefined,
};

const ticketOf = (row: QueueRow): Pick<OutcomeRow, "slot" | "seq" | "workspace_id" | "delivery_id" | "event_id"> => ({
  slot: row.slot,
  seq: row.seq,
  workspace_id: row.workspaceId,
  delivery_id: row.itemId,
  event_id: row.eventId,
});

/** An attempt as `attempts[]` keeps it. */
export const attemptEntry = (
  n: number,
  verdict: Verdict["kind"],
  result: SafeResult,
  startedAt: number,
): AttemptEntry => ({
  n,
  started_at: isoTime(startedAt),
  duration_ms: result.durationMs,
  status_code: result.kind === "answer" ? result.status : null,
  outcome: verdict === "succeeded" ? "succeeded" : "failed",
  error: verdict === "succeeded" ? null : errorText(result),
  response: result.kind === "answer" ? result.snippet : null,
});

function errorText(result: SafeResult): string {
  if (result.kind === "error") return result.detail;
  return result.location === null
    ? `HTTP ${result.status}`
    : `HTTP ${result.status}, redirects are not followed (Location: ${result.location})`;
}
