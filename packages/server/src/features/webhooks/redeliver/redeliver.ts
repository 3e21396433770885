import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf, isPassing } from "../../../db/batched.ts";
import type { Disposition, LaneClaim, LaneKind, LaneSettings, QueueRow } from "../../../lanes/kind.ts";
import { type OutcomeStore, storeOutcome } from "../../../lanes/store-outcome.ts";
import { Yielding } from "../../../lanes/working/yielding.ts";
import { NIL_WORKSPACE } from "../../../lib/ids.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import type { SafeResult } from "../../../lib/safe-fetch/safe-fetch.ts";
import { hintCommitted } from "../../events/event.ts";
import type { EventGroups } from "../../events/event-groups.ts";
import { endpointLanes } from "../deliver/endpoint-lanes.store.ts";
import { EventBodies, type RenderedEvent } from "../deliver/event-body.ts";
import { attemptEntry, UNPREPARED } from "../deliver/outcomes.ts";
import { Receivers, type ReceiversOptions } from "../deliver/receivers.ts";
import { isTrouble, judge, type Verdict } from "../deliver/retry.ts";
import { type Signer, SigningSecrets } from "../deliver/signing-secrets.ts";
import { TEST_KIND } from "../operational-events.ts";
import type { Envelopes } from "../provider-format/envelopes.ts";
import {
  type LoadedRedelivery,
  loadRedeliveries,
  type RedeliveryOutcome,
  redeliverOutcomes,
  redeliverQueue,
} from "./redeliver.store.ts";
import { idsOf, type Known, NOTHING, ticketOf } from "./redeliver-row.ts";

/** A tenth of the places of live deliveries, and a few more. */
const IN_FLIGHT = 256;
/** Fewer than a live lane's: the receiver has its events to answer beside these. */
const CONCURRENCY = { start: 4, most: 32 };
/** Of the database's calls, one short one at a time: what is delivered for the first time finds a free processor. */
const BEHIND_OTHERS = { inFlight: 1, rows: 25 };
/** Where the endpoint has no rate of its own. */
export const RATE_PER_SECOND = 50;

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/**
 * The lanes of deliveries that were asked for, manually or by a replay: one for each endpoint, beside that of its live deliveries and with
 * a pace and an order of its own. At least once, with the event's own id.
 */
export class Redeliver implements LaneKind {
  readonly name = "redeliver";
  readonly role = "deliver";
  readonly queue = redeliverQueue;
  readonly inFlight = IN_FLIGHT;
  readonly hasBreaker = true;
  readonly yields: Yielding;

  readonly #app: App;
  readonly #receivers: Receivers;
  readonly #envelopes: Envelopes;
  readonly #quiet: QuietLog;
  readonly #loads: CallsOf<typeof loadRedeliveries>;
  readonly #bodies: EventBodies;
  readonly #secrets: SigningSecrets;
  readonly #calls: CallsOf<typeof redeliverOutcomes>;
  readonly #store: OutcomeStore<RedeliveryOutcome, unknown>;
  readonly #count: (of: { outcome: Verdict["kind"] }) => void;

  constructor(app: App, events: EventGroups, options: ReceiversOptions & { envelopes: Envelopes }) {
    const { db, clock, notifier } = app;
    this.yields = new Yielding({ clock, ask: () => db.sql.query("select") });
    this.#app = app;
    this.#receivers = new Receivers(app, options);
    this.#envelopes = options.envelopes;
    this.#quiet = new QuietLog(app.log, clock);
    this.#loads = new BatchedCalls({
      db,
      clock,
      fn: loadRedeliveries,
      rests: true,
      limits: BEHIND_OTHERS,
      group: (row) => row.workspace_id,
    });
    this.#bodies = new EventBodies(events);
    this.#secrets = new SigningSecrets(db, app.secrets);
    this.#calls = new BatchedCalls({
      db,
      clock,
      fn: redeliverOutcomes,
      rests: true,
      limits: BEHIND_OTHERS,
      group: (row) => row.workspace_id,
      committed: (answers) => hintCommitted(notifier, answers),
    });
    this.#store = {
      clock,
      calls: this.#calls,
      offersAgain: (error, { delivery_id, workspace_id }, claim) => {
        this.#quiet.warn(
          "outcome",
          { err: error, delivery_id, workspace_id },
          "storing an outcome failed; it is kept and tried again",
        );
        return !claim.signal.aborted;
      },
    };
    this.#count = app.metrics.counter({
      name: "waypost_redeliveries_total",
      help: "Attempts to post a webhook again that were asked for, manually or by a replay, by what followed, as of waypost_deliveries_total.",
      labels: { outcome: ["succeeded", "retry", "failed", "gone"] },
    });
  }

  async settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>> {
    const { db, clock } = this.#app;
    const found = await db.call(
      endpointLanes,
      lanes.map((lane) => ({ lane })),
      clock.now(),
    );
    const byLane = new Map(found.map((endpoint) => [endpoint.lane, endpoint]));
    return new Map(
      lanes.map((lane) => {
        const endpoint = byLane.get(lane);
        return [
          lane,
          {
            // The lane of a deleted endpoint is worked until it is empty: each of its rows is dropped.
            fairShareKey: endpoint?.workspace_id ?? NIL_WORKSPACE,
            receiver: endpoint?.version ?? 0,
            // What a person asks for does not wait until a receiver has recovered that failed a replay.
            advancedAt: latest(endpoint?.advanced_at ?? null, endpoint?.asked_at ?? null),
            ratePerSecond: endpoint ? (endpoint.rate_per_second ?? RATE_PER_SECOND) : null,
            concurrency: CONCURRENCY,
            ordered: endpoint?.ordered ?? false,
            keyPace: null,
            closed: endpoint ? !endpoint.enabled : false,
          },
        ];
      }),
    );
  }

  /** As of live deliveries. Never rejects: a row that cannot be prepared uses up an attempt. */
  async work(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    let known: Known | null = null;
    let signer: Signer | null;
    let body: Buffer | null;
    try {
      const looked = await this.#load(row, claim);
      if ("kind" in looked) return looked;
      known = looked;
      signer = await this.#secrets.signerOf(row.workspaceId, known.endpointId, known.version);
      body = signer === null ? null : await this.#envelopes.bodyFor(row, known.event, signer);
      if (signer === null || body === null) return await this.#drop(row, claim);
    } catch (error) {
      if (isPassing(error)) return { kind: "again" };
      this.#app.log.error({ ...idsOf(row), err: error }, "a delivery could not be prepared");
      return await this.#settle(row, known, UNPREPARED, this.#app.clock.now(), claim);
    }
    return await this.#attempt(row, known, { signer, body }, claim);
  }

  async #load(row: QueueRow, claim: LaneClaim): Promise<Known | Disposition> {
    const loaded = await this.#loads.submit({
      workspace_id: row.workspaceId,
      slot: row.slot,
      lane: row.lane,
      seq: row.seq,
      delivery_id: row.itemId,
      event_id: row.eventId,
      conversation: row.key ?? "0",
    });
    const { endpoint_id: endpointId, version, attempt } = loaded;
    if (endpointId === null || version === null || attempt === null) return await this.#drop(row, claim);
    // Disabled a moment ago: the row stays where it is, and the lane closes with its next settings.
    if (loaded.enabled === false) return { kind: "not_ours" };
    // Asked to keep an order a moment ago: the lane learns it before anything more is posted.
    if (loaded.ordered === true && claim.joinedWith(row) === 0) return { kind: "unordered" };
    if (loaded.behind !== null) return await this.#waitBehind(row, loaded.behind, claim);
    const event = this.#render(row, loaded);
    return event === null
      ? await this.#drop(row, claim)
      : { endpointId, version, event, attempt: attempt + 1, replayId: loaded.replay_id };
  }

  /** Each is posted once, mostly: no body is kept. */
  #render(row: QueueRow, loaded: LoadedRedelivery): RenderedEvent | null {
    const event = this.#bodies.render(row.workspaceId, row.eventId, loaded);
    this.#bodies.forget(row.eventId);
    return event;
  }

  async #attempt(
    row: QueueRow,
    known: Known,
    { signer, body }: { signer: Signer; body: Buffer },
    claim: LaneClaim,
  ): Promise<Disposition> {
    const { endpointId, event, attempt, replayId } = known;
    await claim.departure();
    // The last check of the lease: after it the request is on its way.
    if (!claim.valid()) return { kind: "not_ours" };
    const startedAt = this.#app.clock.now();
    const result = await this.#receivers.post({
      endpointId,
      eventId: row.eventId,
      deliveryId: row.itemId,
      kind: event.kind,
      attempt,
      isReplay: replayId !== null,
      signer,
      body,
      startedAt,
      signal: claim.signal,
    });
    if (result === null) return { kind: "again" };
    return await this.#settle(row, known, result, startedAt, claim);
  }

  async #settle(
    row: QueueRow,
    known: Known | null,
    result: SafeResult,
    startedAt: number,
    claim: LaneClaim,
  ): Promise<Disposition> {
    const { clock, random, log } = this.#app;
    const now = clock.now();
    const tries = row.attempt + 1;
    const { kind: verdict, waitMs } = judge(tries, result, now, random);
    const due = verdict === "gone" ? now : waitMs === null ? null : now + waitMs;
    const stored = await storeOutcome(
      this.#store,
      {
        ...ticketOf(row),
        endpoint_id: known?.endpointId ?? null,
        endpoint_version: known?.version ?? null,
        result: verdict,
        due: due === null ? null : isoTime(due),
        attempt: tries,
        entry: known && {
          ...attemptEntry(known.attempt, verdict, result, startedAt),
          ...(known.replayId === null ? {} : { replay: true }),
        },
      },
      claim,
    );
    if (stored === null) return { kind: "again" };
    this.#count({ outcome: verdict });
    log.info(
      {
        ...idsOf(row),
        webhook_endpoint_id: known?.endpointId,
        replay_id: known?.replayId ?? undefined,
        message_id: known?.event.messageId ?? undefined,
        event: known?.event.kind,
        attempt: known?.attempt,
        status: result.kind === "answer" ? result.status : undefined,
        fault: result.kind === "error" ? result.fault : undefined,
        next: due === null ? "done" : "later",
        due: due === null ? undefined : isoTime(due),
        ms: result.durationMs,
      },
      "redelivery",
    );
    // A test that fails is what a test is for: the next one must not wait for the receiver's recovery.
    const saysNothing = result === UNPREPARED || known?.event.kind === TEST_KIND;
    const coped = verdict === "succeeded" ? true : !saysNothing && isTrouble(result) ? false : undefined;
    return due === null ? { kind: "done", coped } : { kind: "later", due, holdsKey: true, coped };
  }

  /** Removes the row: its event, its endpoint or its delivery no longer exists. */
  #drop(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    return this.#commit({ ...ticketOf(row), ...NOTHING, due: null, result: "dropped" }, claim, { kind: "done" });
  }

  /** Moves the row behind an earlier one of its conversation, which is due at `due` (milliseconds), or earlier by now. */
  #waitBehind(row: QueueRow, due: number, claim: LaneClaim): Promise<Disposition> {
    const moved = { ...ticketOf(row), ...NOTHING, due: isoTime(due), result: "behind" as const };
    return this.#commit(moved, claim, { kind: "later", due, from: this.#app.clock.now(), holdsKey: true });
  }

  async #commit(outcome: RedeliveryOutcome, claim: LaneClaim, then: Disposition): Promise<Disposition> {
    return (await storeOutcome(this.#store, outcome, claim)) === null ? { kind: "again" } : then;
  }

  /** Resolves when all started database calls have ended and the sockets are closed; call it after the lanes have stopped. */
  async stop(): Promise<void> {
    await Promise.all([this.#loads.drained(), this.#calls.drained()]);
    await this.#receivers.close();
  }
}
