import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf, isStandstill } from "../../../db/batched.ts";
import { handsEvents, hintCommitted } from "../../events/event.ts";
import type { Listeners } from "../../events/listeners.ts";
import type { IdentityResolver } from "../../identity/resolver.ts";
import { hintFetches } from "../../media/arriving.ts";
import { eventKindOf, REPORT_NAMES, REPORTS } from "../../threads/status.ts";
import type { SentTwice } from "../sent-twice.ts";
import { isShared } from "./callback-errors.ts";
import {
  byRuns,
  type CallbackRow,
  type TakenCallback,
  type TakenRow,
  takeCallbacks,
  takeReports,
} from "./provider-events.store.ts";
import { joinParked, LOOKS_A_CALL, OF_INBOUND_MESSAGE, trimParked } from "./status.store.ts";
import { type ProviderEvent, takenRowOf } from "./taken-row.ts";

/** `quarantine`: null when the event was taken, else the reason to keep it in quarantine. `error`: nothing was done. */
export type TakeResult = { quarantine: string | null; messageId: string | null } | { error: unknown };

/** A raw callback, and whose it is. */
export type RawCallback = Omit<CallbackRow, "reports" | "hands">;

/** Events handed to the batches at once: a callback of 3 MiB holds ten thousand, and must not fill the batches that others wait for. */
const EVENTS_AT_ONCE = 1_000;
/** Why a report was not applied, by what became of it: the reason in quarantine. */
const SET_ASIDE = new Map<string, string>([
  ["unknown_message", "unknown_message"],
  ["inbound_message", OF_INBOUND_MESSAGE],
]);
/** Statuses that many endpoints listen to go one short statement at a time: an accept that arrives meanwhile finds a processor. */
const FANNED_OUT = { inFlight: 1, weight: 100 };
/** Calls of one round of joining: together more than any gateway parks in five seconds. */
const MOST_JOIN_CALLS = 20;

/** The kinds of event that a row may write: of a status by its bit, and of a message. */
const STATUS_KINDS = new Map(
  REPORT_NAMES.map((report): [number, string[]] => [REPORTS[report].bit, [eventKindOf(report)]]),
);
const KINDS = {
  message: ["contact_created", "messages"],
  echo: ["contact_created", "sent"],
  preference: ["contact_created", "opted_out"],
  handover: ["contact_created", "thread_taken", "thread_released"],
};
const KINDS_OF_COPY = ["contact_created", "standby_messages"];

/** Any row may also say that a person opted out: few do, and these weigh as what they mostly are. */
function kindsOf(row: TakenRow): string[] {
  if (row.kind === "status" || row.kind === "copy") return STATUS_KINDS.get(row.bit) ?? [];
  return row.kind === "message" && row.provided?.handled_by !== undefined ? KINDS_OF_COPY : KINDS[row.kind];
}

/** What another responder's message met says nothing of ours. */
const isFailure = ({ change }: ProviderEvent): boolean =>
  change.kind === "status" && change.error !== null && change.isCopy === undefined;

export type ProviderEventsDeps = { listeners: Listeners; identityResolver: IdentityResolver; sentTwice: SentTwice };

/** Takes what callbacks report: statuses of sent messages, inbound messages, and settings of people. */
export class ProviderEvents {
  readonly #app: App;
  readonly #listeners: Listeners;
  readonly #sentTwice: SentTwice;
  #failed: (failed: ProviderEvent) => void = () => undefined;
  readonly #reports: CallsOf<typeof takeReports>;
  readonly #callbacks: CallsOf<typeof takeCallbacks>;

  constructor(app: App, { listeners, identityResolver, sentTwice }: ProviderEventsDeps) {
    this.#app = app;
    this.#sentTwice = sentTwice;
    this.#listeners = listeners;
    const { db, clock, notifier } = app;
    const both = {
      db,
      clock,
      inOrder: true,
      shared: isShared,
      committed: (answers: { has_evidence: boolean }[]) => identityResolver.resolveSoon(answers, true),
      limits: FANNED_OUT,
    };
    this.#reports = new BatchedCalls({
      ...both,
      fn: takeReports,
      committed(answers) {
        hintCommitted(notifier, answers);
        both.committed(answers);
      },
      group: (row) => row.workspace_id,
      arrange: byRuns,
      weight: (row) => this.#weightOf([row]),
    });
    this.#callbacks = new BatchedCalls({
      ...both,
      fn: takeCallbacks,
      begins: () => handsEvents(notifier),
      rests: true,
      group: ({ reports: [first] }) => first?.workspace_id ?? "",
      arrange: (rows) => byRuns(rows.flatMap(({ reports }) => reports.slice(0, 1))),
      weight: ({ reports }) => this.#weightOf(reports),
    });
  }

  /** Rows that these write, with one for each endpoint that listens. */
  #weightOf(rows: readonly TakenRow[]): number {
    return rows.reduce((sum, row) => {
      return sum + this.#listeners.weightOf(row.workspace_id, ...kindsOf(row));
    }, 0);
  }

  /** Resolves when it is known how much the events of a workspace write, or that this cannot be known now; never rejects. */
  weighable(workspaceId: string): Promise<void> {
    return this.#listeners.known(workspaceId);
  }

  /**
   * Stores a callback and takes its events, all of one number, in one transaction; or puts it into the queue behind earlier
   * ones of its lane (`queued`). Those of a workspace are taken in the order of the calls of this method. Null, and nothing is
   * done, when they write more than one call may. Await `weighable` before.
   */
  takeCallback(callback: RawCallback, events: readonly ProviderEvent[]): Promise<TakenCallback> | null {
    const reports = events.map((event) => takenRowOf(this.#app, event));
    if (reports.length > 1 && this.#weightOf(reports) > FANNED_OUT.weight) return null;
    return this.#callbacks
      .submit({ reports, ...callback, hands: this.#app.notifier.handsOver("deliver") || undefined })
      .then((answer) => {
        const workspaceId = events[0]?.workspaceId ?? null;
        for (const messageId of new Set(answer.sent_twice)) this.#sentTwice.note(workspaceId, messageId);
        if (answer.outcome === "taken") this.#tellFailed(events);
        this.#hintFiles(reports);
        return answer;
      });
  }

  /**
   * Takes events in this order; one result each. Safe to repeat. Callers that want an order between two calls for one number
   * wait for the first. When the database is away, the events behind the first that met this have the same error.
   */
  async take(events: readonly ProviderEvent[]): Promise<TakeResult[]> {
    const results: TakeResult[] = [];
    for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
      const some = events.slice(at, at + EVENTS_AT_ONCE);
      // Known before the first is submitted: a batch is bounded by the rows that it writes.
      await Promise.all(
        [...new Set(some.map(({ workspaceId }) => workspaceId))].map((id) => this.#listeners.known(id)),
      );
      /** Messages that were sent twice, with their workspaces: two statuses may say it of one. */
      const twice = new Map<string | null, string>();
      results.push(
        ...(await Promise.all(
          some.map(async (event): Promise<TakeResult> => {
            try {
              const row = takenRowOf(this.#app, event);
              const answer = await this.#reports.submit(row);
              this.#hintFiles([row]);
              const quarantine = SET_ASIDE.get(answer.outcome) ?? null;
              if (answer.other_provider_id) twice.set(answer.message_id, event.workspaceId);
              if (answer.outcome !== "inbound_message") this.#tellFailed([event]);
              return { quarantine, messageId: answer.message_id };
            } catch (error) {
              return { error };
            }
          }),
        )),
      );
      for (const [messageId, workspaceId] of twice) this.#sentTwice.note(workspaceId, messageId);
      const away = results.find((result) => "error" in result && isStandstill(result.error));
      if (away) return [...results, ...events.slice(results.length).map(() => away)];
    }
    return results;
  }

  /** `failed` is called with each failure that was taken, perhaps more than once. */
  onFailed(failed: (event: ProviderEvent) => void): void {
    this.#failed = failed;
  }

  #hintFiles(rows: readonly TakenRow[]): void {
    for (const row of rows)
      if ("files" in row && row.files !== undefined) hintFetches(this.#app.notifier, row.workspace_id);
  }

  #tellFailed(events: readonly ProviderEvent[]): void {
    for (const event of events) if (isFailure(event)) this.#failed(event);
  }

  /** Joins statuses that were parked while their message was being stored. */
  async joinParked(): Promise<void> {
    const { db, clock, notifier } = this.#app;
    for (let call = 0; call < MOST_JOIN_CALLS; call++) {
      const ask = { up_to: new Date(clock.now()).toISOString() };
      const looked = await db.call(joinParked, [ask], clock.now());
      hintCommitted(notifier, looked);
      const numbers = new Map(
        looked.flatMap(({ workspace_id, phone_number_id }) =>
          phone_number_id === null ? [] : [[phone_number_id, { workspace_id, phone_number_id }]],
        ),
      );
      if (numbers.size > 0) await db.call(trimParked, [...numbers.values()], clock.now());
      if (looked.length < LOOKS_A_CALL) return;
    }
  }

  /** Resolves when no event is being taken. */
  async stop(): Promise<void> {
    await Promise.all([this.#reports.drained(), this.#callbacks.drained()]);
  }
}
