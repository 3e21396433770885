import type { App } from "../../ctx.ts";
import { BatchedCalls, type CallsOf, isStandstill } from "../../db/batched.ts";
import {
  type Disposition,
  evenSettings,
  type LaneClaim,
  type LaneKind,
  type LaneSettings,
  type QueueRow,
} from "../../lanes/kind.ts";
import { type OutcomeStore, storeOutcome } from "../../lanes/store-outcome.ts";
import type { Clock } from "../../lib/clock.ts";
import { newUuid } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { QuietLog } from "../../lib/quiet-log.ts";
import { isCausedByContent } from "../messages/callbacks/callback-errors.ts";
import type { ProviderEvents } from "../messages/callbacks/provider-events.ts";
import { logApplied } from "./applied-line.ts";
import { type ApplyDeps, applyCallbacks, type Quarantined } from "./apply.ts";
import type { CallbackOwners } from "./callback-owners.ts";
import { detailOf, pauseAfter, waitForDatabase } from "./failures.ts";
import { type FinishRow, finishIngest, ingestQueue, type QuarantineInsert } from "./ingress.store.ts";
import { CallbackLoader, type Loaded, type Working } from "./load.ts";
import type { ParsedCallbacks } from "./parsed-callbacks.ts";
import type { TakeAtOnce } from "./take-at-once.ts";

/** Callbacks of one lane that are applied together, in their order. */
const BATCH = 200;
/** The batch that is being applied, and the next one, which is read and parsed meanwhile. */
const CONCURRENCY = { start: 2 * BATCH, most: 2 * BATCH };
/** Callbacks in flight in this process, over all its lanes; small until their bodies are read. */
const IN_FLIGHT = 2_000;

export type IngestDeps = {
  providerEvents: ProviderEvents;
  owners: CallbackOwners;
  atOnce: TakeAtOnce;
  parses: ParsedCallbacks;
};

/**
 * The ingest lanes, for callbacks that `TakeAtOnce` does not take: one writer for each number, one batch at a time. Callbacks
 * that arrive while a batch is applied are the next batch, so that events are written in the order in which the callbacks were
 * answered. A callback that fails never blocks its neighbours.
 *
 * A row waits in its lane (`#lanes`), is loaded and parsed (`CallbackLoader`), applied (`applyCallbacks`), finished in the table
 * (`#finish`) and settled: `done`, `later` after a failure, or `again` when the claim of its lane was lost.
 */
export class Ingest implements LaneKind {
  readonly name = "ingest";
  readonly role = "ingress";
  readonly queue = ingestQueue;
  readonly inFlight = IN_FLIGHT;
  readonly beside: TakeAtOnce;

  readonly #deps: ApplyDeps;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #quiet: QuietLog;
  readonly #random: App["random"];
  readonly #loader: CallbackLoader;
  readonly #finishes: CallsOf<typeof finishIngest>;
  readonly #store: OutcomeStore<FinishRow, unknown>;
  /** The waiting callbacks of each lane that `#runLane` works. */
  readonly #lanes = new Map<number, Working[]>();
  readonly #running = new Set<Promise<void>>();

  constructor(app: App, { providerEvents, owners, atOnce, parses }: IngestDeps) {
    const { db, clock, log, random } = app;
    this.#deps = { app, providerEvents, owners };
    this.beside = atOnce;
    this.#clock = clock;
    this.#log = log;
    this.#quiet = new QuietLog(log, clock);
    this.#random = random;
    this.#loader = new CallbackLoader(app, owners.waacIds, parses);
    this.#finishes = new BatchedCalls({ db, clock, fn: finishIngest, group: () => "" });
    this.#store = {
      clock,
      calls: this.#finishes,
      offersAgain: (error, finish, claim) => this.#offersAgain(error, finish, claim),
    };
  }

  settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>> {
    return Promise.resolve(evenSettings(lanes, CONCURRENCY));
  }

  work(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    return new Promise((settle) => {
      const waiting = this.#lanes.get(row.lane);
      const one = { row, claim, settle };
      if (waiting) return insert(waiting, one);
      const started = [one];
      this.#lanes.set(row.lane, started);
      // In a microtask: rows that start in the same turn of the event loop are one batch.
      void this.#track(Promise.resolve().then(() => this.#runLane(row.lane, started)));
    });
  }

  /** Works the callbacks of a lane, batch by batch, until none waits. */
  async #runLane(lane: number, waiting: Working[]): Promise<void> {
    try {
      let next: Promise<Loaded[]> | null = null;
      while (next !== null || waiting.length > 0) {
        const batch: Loaded[] = await (next ?? this.#loader.load(waiting, BATCH));
        next = waiting.length > 0 ? this.#loader.load(waiting, BATCH) : null;
        const applied = await applyCallbacks(
          this.#deps,
          batch.map(({ parsed }) => parsed),
          (round) => waitForDatabase(this.#clock, batch[0]?.claim, round),
        );
        this.#loader.release(batch);
        for (const one of batch) {
          if (applied) void this.#track(this.#finish(one));
          else one.settle({ kind: "again" });
        }
      }
    } finally {
      this.#lanes.delete(lane);
      for (const { settle } of waiting.splice(0)) settle({ kind: "again" });
    }
  }

  async #finish(one: Loaded): Promise<void> {
    const { row, parsed, receivedAt } = one;
    const [failure] = parsed.failures;
    const due = failure === undefined ? null : this.#clock.now() + pauseAfter(row.attempt, this.#random);
    if (failure !== undefined) this.#logFailure(failure, row.itemId);
    // What could be applied is applied. For the rest the whole callback is read again; applying a change twice does nothing.
    const quarantine = due === null ? parsed.quarantined.map((one) => this.#quarantineInsert(one)) : [];
    if (!(await this.#storeFinish(one, due, quarantine))) return one.settle({ kind: "again" });
    if (due !== null) return one.settle({ kind: "later", due, holdsKey: false });
    logApplied(this.#log, {
      callbackId: row.itemId,
      workspaceId: parsed.workspaceId,
      messageIds: parsed.messageIds,
      changes: parsed.changes.length,
      setAside: parsed.quarantined,
      tries: row.attempt + 1,
      ageMs: receivedAt === null ? null : this.#clock.now() - receivedAt.getTime(),
    });
    one.settle({ kind: "done" });
  }

  #quarantineInsert({ reason, change, error }: Quarantined): QuarantineInsert {
    const phone = change && "providerPhoneNumberId" in change ? change.providerPhoneNumberId : null;
    const account = change && "providerAccountId" in change ? change.providerAccountId : null;
    return {
      id: newUuid(this.#clock.now()),
      reason,
      detail: error === null ? null : detailOf(error),
      provider_phone_number_id: phone,
      provider_account_id: account,
      change: change && "value" in change ? change.value : null,
    };
  }

  /** Ends the queue row, or moves it to `due` (milliseconds), until that is stored; false when the lane's claim was lost before. */
  async #storeFinish({ row, claim }: Loaded, due: number | null, quarantine: QuarantineInsert[]): Promise<boolean> {
    const { slot, lane, seq, itemId } = row;
    const dueAt = due === null ? null : new Date(due).toISOString();
    const finish = { slot, lane, seq, callback_id: itemId, due: dueAt, quarantine };
    return (await storeOutcome(this.#store, finish, claim)) !== null;
  }

  #offersAgain(error: unknown, finish: FinishRow, claim: LaneClaim): boolean {
    // A change whose text the database refuses cannot be kept in quarantine; the raw callback still has it.
    if (isCausedByContent(error)) for (const row of finish.quarantine) row.change = null;
    else if (!isStandstill(error)) this.#logFailure(error, finish.callback_id);
    return claim.valid() && !claim.signal.aborted;
  }

  // At most one line a second: a table that accepts no row fails every callback, again and again.
  #logFailure(error: unknown, callbackId: string): void {
    this.#quiet.error(
      "failed",
      { err: error, callback_id: callbackId },
      "a callback failed; it is tried again until it succeeds",
    );
  }

  // The work is not expected to reject; if it does, that must be logged and must not end the process.
  async #track(work: Promise<void>): Promise<void> {
    this.#running.add(work);
    try {
      await work;
    } catch (error) {
      this.#log.error({ err: error }, "working a lane of callbacks failed");
    } finally {
      this.#running.delete(work);
    }
  }

  /** Resolves when all started callbacks are settled; call it after the lanes have stopped. */
  async stop(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    await Promise.all([this.#loader.drained(), this.#finishes.drained()]);
  }
}

/** Keeps the order of `seq`: a row that is read late goes before those that follow it. */
function insert(waiting: Working[], one: Working): void {
  let at = waiting.length;
  while (at > 0 && (waiting[at - 1]?.row.seq ?? 0) > one.row.seq) at -= 1;
  waiting.splice(at, 0, one);
}
