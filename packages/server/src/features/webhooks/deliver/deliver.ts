import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf, isPassing } from "../../../db/batched.ts";
import type { Database } from "../../../db/database.ts";
import type { Disposition, LaneClaim, LaneKind, LaneSettings, QueueRow } from "../../../lanes/kind.ts";
import type { HandedRow } from "../../../lanes/queue.ts";
import { Yielding } from "../../../lanes/working/yielding.ts";
import type { Clock } from "../../../lib/clock.ts";
import { NIL_WORKSPACE } from "../../../lib/ids.ts";
import type { EventGroups } from "../../events/event-groups.ts";
import type { HandedDelivery } from "../../events/handed-event.ts";
import { Envelopes } from "../provider-format/envelopes.ts";
import { deliverQueue, loadDeliveries } from "./deliver.store.ts";
import { endpointLanes } from "./endpoint-lanes.store.ts";
import { EventBodies } from "./event-body.ts";
import { FailingEndpoints } from "./failing-endpoints.ts";
import { HandedDeliveries } from "./handed-deliveries.ts";
import { type AttemptSubject, Outcomes } from "./outcomes.ts";
import { Receivers, type ReceiversOptions } from "./receivers.ts";
import { type Signer, SigningSecrets } from "./signing-secrets.ts";

/** Deliveries in flight in this process. Most of their time is waiting, and slow receivers take up to 15 s each, or 30 where they ask for it: places must be left for the quick ones. */
const IN_FLIGHT = 2_000;
/** Limits of the database calls while deliveries are held back: one short statement at a time, so that an accept that arrives meanwhile finds a free processor. */
const BEHIND_OTHERS = { inFlight: 1, rows: 25 };
/** Of an endpoint without a rate, while it gets what was parked: it may just have recovered. */
const RELEASED_PER_SECOND = 50;
const CONCURRENCY = { start: 8, most: 128 };

/**
 * The delivery lanes, one for each endpoint. `work` takes a row of the queue `deliver` through its stages: load the endpoint
 * and the event's body (`EventBodies`), get the endpoint's URL and secrets (`SigningSecrets`), sign (`sign`), post, and store
 * the outcome (`Outcomes`, with the schedule of `retry.ts`). At least once, with the same event id each time.
 */
export class Deliver implements LaneKind {
  readonly name = "deliver";
  readonly role = "deliver";
  readonly queue = deliverQueue;
  readonly inFlight = IN_FLIGHT;
  readonly hasBreaker = true;
  readonly yields: Yielding;
  readonly envelopes: Envelopes;

  readonly #db: Database;
  readonly #clock: Clock;
  readonly #receivers: Receivers;
  readonly #loads: CallsOf<typeof loadDeliveries>;
  readonly #bodies: EventBodies;
  readonly #handed: HandedDeliveries;
  readonly #secrets: SigningSecrets;
  readonly #failing: FailingEndpoints;
  readonly #outcomes: Outcomes;

  constructor(app: App, events: EventGroups, options: ReceiversOptions) {
    const { db, clock } = app;
    const yields = new Yielding({ clock, ask: () => db.sql.query("select") });
    const tighter = { when: () => yields.holdsBack, limits: BEHIND_OTHERS };
    this.yields = yields;
    this.#db = db;
    this.#clock = clock;
    this.#receivers = new Receivers(app, options);
    this.#loads = new BatchedCalls({
      db,
      clock,
      fn: loadDeliveries,
      rests: true,
      group: (row) => row.workspace_id,
      tighter,
    });
    this.#bodies = new EventBodies(events);
    this.envelopes = new Envelopes(app, events);
    this.#handed = new HandedDeliveries(clock);
    this.#secrets = new SigningSecrets(db, app.secrets);
    this.#failing = new FailingEndpoints(app);
    this.#outcomes = new Outcomes(app, this.#failing, tighter);
  }

  async settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>> {
    const askedAt = this.#clock.monotonic();
    const found = await this.#db.call(
      endpointLanes,
      lanes.map((lane) => ({ lane })),
      this.#clock.now(),
    );
    this.#failing.read(found, askedAt);
    const byLane = new Map(found.map((endpoint) => [endpoint.lane, endpoint]));
    return new Map(
      lanes.map((lane) => {
        const endpoint = byLane.get(lane);
        return [
          lane,
          {
            // The lane of a deleted endpoint is worked until it is empty: each of its rows is dropped.
            fairShareKey: endpoint?.workspace_id ?? NIL_WORKSPACE,
            ratePerSecond: endpoint?.rate_per_second ?? (endpoint?.releases ? RELEASED_PER_SECOND : null),
            concurrency: CONCURRENCY,
            ordered: endpoint?.ordered ?? false,
            receiver: endpoint?.version ?? 0,
            advancedAt: endpoint?.advanced_at ?? null,
            keyPace: null,
            closed: endpoint ? !endpoint.enabled : false,
          },
        ];
      }),
    );
  }

  /** Renders the event once for all of its deliveries, and remembers the endpoint of this one. Never throws: the call has committed. */
  handed({ workspace_id, item_id, work }: HandedRow, begunAt: number): void {
    const { event, endpoint } = work as HandedDelivery; // as `handsEvents` gives it
    try {
      if (this.#bodies.get(event.id) === undefined) this.#bodies.render(workspace_id ?? "", event.id, event);
    } catch {
      return; // it is looked up when it starts, and fails there like any row that cannot be rendered
    }
    this.#handed.keep(item_id, endpoint, begunAt);
  }

  /** Prepares an attempt, makes it and stores its outcome. Never rejects: a row that cannot be prepared uses up an attempt. */
  async work(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    let known: AttemptSubject | null = null;
    let signer: Signer | null;
    let body: Buffer | null;
    try {
      const looked = this.#handedTo(row) ?? (await this.#load(row, claim));
      if ("kind" in looked) return looked;
      known = looked;
      signer = await this.#secrets.signerOf(row.workspaceId, known.endpointId, known.version);
      body = signer === null ? null : await this.envelopes.bodyFor(row, known.event, signer);
      if (signer === null || body === null) return await this.#outcomes.drop(row, claim);
    } catch (error) {
      if (isPassing(error)) return { kind: "again" };
      return await this.#outcomes.storeUnprepared(row, known, error, claim);
    }
    return await this.#attempt(row, known, body, signer, claim);
  }

  /** What the call that has committed the row says of it, where that was a moment ago. */
  #handedTo(row: QueueRow): AttemptSubject | null {
    const endpoint = this.#handed.take(row.itemId);
    const event = this.#bodies.get(row.eventId);
    return endpoint === null || event === undefined
      ? null
      : { endpointId: endpoint.endpoint_id, version: endpoint.version, event };
  }

  /** The endpoint as it is now, and what the event is rendered from where it is not cached; or what became of a row that is not to be posted. */
  async #load(row: QueueRow, claim: LaneClaim): Promise<AttemptSubject | Disposition> {
    const cached = this.#bodies.get(row.eventId);
    const loaded = await this.#loads.submit({
      workspace_id: row.workspaceId,
      slot: row.slot,
      lane: row.lane,
      seq: row.seq,
      event_id: row.eventId,
      conversation: row.key ?? "0",
      joined: claim.joinedWith(row),
      body: cached === undefined,
      contact_id: cached?.contactId ?? undefined,
    });
    const { endpoint_id: endpointId, version } = loaded;
    if (endpointId === null || version === null) return await this.#outcomes.drop(row, claim);
    // Disabled a moment ago: the row stays where it is, and the lane closes with its next settings.
    if (loaded.enabled === false) return { kind: "not_ours" };
    // Asked to keep an order a moment ago: the lane learns it before anything more is posted.
    if (loaded.ordered === true && claim.joinedWith(row) === 0) return { kind: "unordered" };
    if (loaded.keys !== null) return { kind: "joined", keys: loaded.keys };
    if (loaded.behind !== null) return await this.#outcomes.waitBehind(row, loaded.behind, claim);
    if (cached !== undefined && loaded.is_erased && !cached.isErased) {
      // Its contact was erased since it was rendered.
      this.#bodies.forget(row.eventId);
      return { kind: "again" };
    }
    const event = cached ?? this.#bodies.render(row.workspaceId, row.eventId, loaded);
    return event === null ? await this.#outcomes.drop(row, claim) : { endpointId, version, event };
  }

  async #attempt(
    row: QueueRow,
    known: AttemptSubject,
    body: Buffer,
    signer: Signer,
    claim: LaneClaim,
  ): Promise<Disposition> {
    const { endpointId, event } = known;
    // A slow call of the database bunches up rows that were started at the endpoint's rate.
    if (signer.isPaced) await claim.departure();
    // The last check of the lease: after it the request is on its way.
    if (!claim.valid()) return { kind: "not_ours" };
    const startedAt = this.#clock.now();
    const result = await this.#receivers.post({
      endpointId,
      eventId: row.eventId,
      deliveryId: row.itemId,
      kind: event.kind,
      attempt: row.attempt + 1,
      isReplay: false,
      signer,
      body,
      startedAt,
      signal: claim.signal,
    });
    if (result === null) return { kind: "again" };
    return await this.#outcomes.store(row, known, result, startedAt, claim);
  }

  /** Resolves when all started database calls have ended and the sockets are closed; call it after the lanes have stopped. */
  async stop(): Promise<void> {
    await Promise.all([this.#loads.drained(), this.envelopes.drained(), this.#outcomes.drained()]);
    await this.#receivers.close();
  }
}
