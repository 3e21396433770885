import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../../db/batched.ts";
import type { Disposition, LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import { type OutcomeStore, storeOutcome } from "../../../lanes/store-outcome.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { handsEvents } from "../../events/event.ts";
import type { Listeners } from "../../events/listeners.ts";
import { type Claim, NO_CLAIM } from "../../identity/reported-identifiers.ts";
import type { IdentityResolver } from "../../identity/resolver.ts";
import type { KnownOutcome } from "../accept/settled-waiters.ts";
import type { MessageError } from "../message-error.ts";
import type { SentTwice } from "../sent-twice.ts";
import type { SendResultRow } from "./send-result.sql.ts";
import { settleSends } from "./settle.store.ts";

/** The outcome of an attempt; `attempt` is 0 when none was begun. */
export type SendResult = {
  outcome: SendResultRow["outcome"];
  error: MessageError | null;
  providerMessageId?: string;
  /** Milliseconds since the epoch: when the row is due again. */
  due?: number;
  /** Of `unwritten`: the worker that asked for the attempt. */
  worker?: string;
  /** Of `accepted`: what the provider calls the recipient, where that says something new. */
  claim?: Claim;
  /** Of `accepted`: the conversation is ours now. */
  takesThread?: boolean;
};

/** In the metrics. */
const COUNTED = [
  "accepted",
  "failed",
  "expired",
  "canceled",
  "unknown",
  "silence",
  "retry",
  "waits",
  "unwritten",
  "resend",
] as const;

/**
 * A retry holds its recipient's later messages back, and so does what was never written. A lost answer does not, nor what waits for
 * something that the person's other messages do not need.
 */
const HOLDS_KEY: ReadonlySet<SendResult["outcome"]> = new Set(["retry", "unwritten"]);

const KIND_OF_EVENT: Partial<Record<SendResult["outcome"], string>> = {
  accepted: "accepted",
  failed: "failed",
  expired: "expired",
  canceled: "canceled",
  unknown: "unknown",
  silence: "unknown",
};

/**
 * How long outcomes are still offered once the process stops and storing them fails: a database that restarts is back by
 * then, and the process is ended by force after 34 s (`process/main.ts`). A message whose outcome is given up becomes `unknown`.
 */
const STOP_PATIENCE_MS = 25_000;
/** A timer that does nothing, but keeps the process alive while `drained` waits. */
const STAY_ALIVE_EVERY_MS = 1_000;

export type EvidenceDeps = {
  listeners: Listeners;
  identityResolver: IdentityResolver;
  sentTwice: SentTwice;
  /** Gets outcomes that callers of this process may wait for. */
  awaited: { stored(messageId: string, outcome: KnownOutcome): void };
};

/**
 * Stores the outcomes of sends. An outcome is evidence of what the provider did, so neither a database that is away nor a lost
 * lease ends its storing: `settle_sends` accepts it from any process at any time. Only the end of the process does.
 */
export class Evidence {
  readonly #clock: Clock;
  readonly #quiet: QuietLog;
  readonly #batch: CallsOf<typeof settleSends>;
  readonly #store: OutcomeStore<SendResultRow, { done: boolean; sent_twice: boolean; public_id: string | null }>;
  readonly #count: (of: { outcome: SendResultRow["outcome"] | "resend" }) => void;
  readonly #sentTwice: SentTwice;
  readonly #awaited: EvidenceDeps["awaited"];
  readonly #hands: () => boolean;
  readonly #storing = new Set<Promise<Disposition>>();
  /** By the monotonic clock; null until storing fails in a process that stops. */
  #givesUpAt: number | null = null;

  constructor(
    { db, clock, log, notifier, metrics }: App,
    { listeners, identityResolver, sentTwice, awaited }: EvidenceDeps,
  ) {
    this.#sentTwice = sentTwice;
    this.#awaited = awaited;
    this.#hands = () => notifier.handsOver("deliver");
    this.#clock = clock;
    this.#quiet = new QuietLog(log, clock);
    this.#batch = new BatchedCalls({
      db,
      clock,
      fn: settleSends,
      rests: true,
      group: (row) => row.workspace_id,
      weight: ({ workspace_id, outcome }) => {
        const kind = KIND_OF_EVENT[outcome];
        return kind === undefined ? 1 : listeners.weightOf(workspace_id, kind);
      },
      committed: (answers) => identityResolver.resolveSoon(answers, false),
      begins: () => handsEvents(notifier),
    });
    this.#count = metrics.counter({
      name: "waypost_sends_total",
      help: "Outcomes of sends as they were stored. waits: for the end of a stop of marketing or for room in the messaging limit; canceled: the contact was erased; unknown: the answer was lost; silence: no evidence 10 minutes later; resend: sent once more then, a possible duplicate.",
      labels: { outcome: COUNTED },
    });
    this.#store = {
      clock,
      calls: this.#batch,
      offersAgain: (error, row, claim) => this.#offersAgain(error, row, claim),
    };
  }

  /** Resolves when the outcome is stored, or with `again` when it was given up because the process ends. Never rejects. */
  store(row: QueueRow, attempt: number, result: SendResult, claim: LaneClaim): Promise<Disposition> {
    const stored = this.#storeRow(row, attempt, result, claim);
    this.#storing.add(stored);
    return stored.finally(() => this.#storing.delete(stored));
  }

  async #storeRow(row: QueueRow, attempt: number, result: SendResult, claim: LaneClaim): Promise<Disposition> {
    const due = result.due === undefined ? null : Math.ceil(result.due);
    const answer = await storeOutcome(
      this.#store,
      {
        slot: row.slot,
        seq: row.seq,
        workspace_id: row.workspaceId,
        message_id: row.itemId,
        attempt,
        outcome: result.outcome,
        at: isoTime(this.#clock.now()),
        provider_message_id: result.providerMessageId ?? null,
        error: result.error,
        due: due === null ? null : isoTime(due),
        lane: row.lane,
        recipient: row.key ?? "0",
        worker: result.worker ?? null,
        takes_thread: result.takesThread,
        hands: this.#hands() || undefined,
        ...(result.claim ?? NO_CLAIM),
      },
      claim,
    );
    if (answer === null) return { kind: "again" };
    this.#count({ outcome: result.outcome === "silence" && !answer.done ? "resend" : result.outcome });
    if (answer.sent_twice) this.#sentTwice.note(row.workspaceId, row.itemId);
    if (result.outcome === "accepted" || result.outcome === "failed")
      this.#awaited.stored(
        row.itemId,
        answer.public_id === null
          ? { kind: "refused", error: result.error }
          : { kind: "named", publicId: answer.public_id },
      );
    return answer.done
      ? { kind: "done" }
      : { kind: "later", due: due ?? this.#clock.now(), holdsKey: HOLDS_KEY.has(result.outcome) };
  }

  #offersAgain(error: unknown, row: SendResultRow, claim: LaneClaim): boolean {
    const fields = { err: error, message_id: row.message_id, workspace_id: row.workspace_id };
    if (claim.signal.aborted) {
      const now = this.#clock.monotonic();
      this.#givesUpAt ??= now + STOP_PATIENCE_MS;
      if (now >= this.#givesUpAt) {
        this.#quiet.error(
          "given up",
          { ...fields, waiting: this.#storing.size },
          "an outcome could not be stored before the process ended; its message becomes unknown",
        );
        return false;
      }
    }
    this.#quiet.warn(
      "outcome",
      { ...fields, waiting: this.#storing.size },
      "storing an outcome failed; it is kept and tried again",
    );
    return true;
  }

  /** Resolves when no outcome waits to be stored, nor pauses between two tries. The process stays alive meanwhile. */
  async drained(): Promise<void> {
    const alive = setInterval(() => undefined, STAY_ALIVE_EVERY_MS);
    while (this.#storing.size > 0) await Promise.all(this.#storing);
    clearInterval(alive);
  }
}
