import type { App } from "../../../ctx.ts";
import { batchCalls } from "../../../db/batched.ts";
import { CommitUnknown, DatabaseUnavailable } from "../../../db/database.ts";
import type { Disposition, LaneClaim, LaneKind, LaneSettings, QueueRow } from "../../../lanes/kind.ts";
import { Yielding } from "../../../lanes/working/yielding.ts";
import { formatId, NIL_WORKSPACE } from "../../../lib/ids.ts";
import { createSafeFetch, type SafeFetch } from "../../../lib/safe-fetch.ts";
import { egressPolicy } from "../../../lib/safe-fetch-target.ts";
import { type EventDeps, type LoadedEvent, renderEvent } from "../events/event-body.ts";
import { type BodyCache, createBodyCache, type RenderedEvent } from "./body-cache.ts";
import {
  deliverQueue,
  type EndpointLane,
  endpointLanes,
  type LoadAnswer,
  type LoadRow,
  loadDeliveries,
} from "./deliver.store.ts";
import { createOutcomes, type Known } from "./outcomes.ts";
import { isTrouble, succeeded } from "./retry.ts";
import { sign } from "./signature.ts";
import { createSigners, type Signer } from "./signing-secrets.ts";

/** Deliveries in the air in this process. Most of the time of one is waiting; slow receivers hold theirs for 15 s, so there must be places left for the quick. */
const IN_FLIGHT = 2_000;
/** While deliveries are held back for others: one short statement at a time, so that an accept that comes meanwhile finds a processor. */
const BEHIND_OTHERS = { flights: 1, rows: 25 };
const CONCURRENCY = { start: 8, most: 128 };

export type DeliverOptions = {
  /** Shown as `User-Agent: Waypost/<version>`. */
  version: string;
  /** 0 to 1, for the jitter of retries. */
  random?: () => number;
  /** Another way out, for tests. */
  fetch?: SafeFetch;
};

/** The delivery lanes: one an endpoint. Load → sign → post → outcome committed; at least once, with the event's id each time. */
export function createDeliver(
  app: App,
  deps: EventDeps,
  options: DeliverOptions,
): { kind: LaneKind; stop(): Promise<void> } {
  const { db, clock, log } = app;
  const fetch =
    options.fetch ??
    createSafeFetch({ policy: egressPolicy(app.config.EGRESS_ALLOW_CIDRS, app.config.EGRESS_ALLOW_PORTS), clock });
  const bodies: BodyCache = createBodyCache();
  const signerOf = createSigners(db, app.secrets);
  const yields = new Yielding({ clock, ask: () => db.sql.query("select") });
  const behindOthers = { when: () => yields.holdsBack, limits: BEHIND_OTHERS };
  const loads = batchCalls<LoadRow, LoadAnswer>({
    db,
    clock,
    fn: loadDeliveries,
    group: (row) => row.workspace_id,
    tighter: behindOthers,
  });
  const outcomes = createOutcomes(app, { tighter: behindOthers, random: options.random ?? Math.random });

  async function settings(lanes: readonly number[]): Promise<Map<number, LaneSettings>> {
    const found = await db.call<EndpointLane>(
      endpointLanes,
      lanes.map((lane) => JSON.stringify({ lane })),
      clock.now(),
    );
    const byLane = new Map(found.map((endpoint) => [endpoint.lane, endpoint]));
    return new Map(
      lanes.map((lane) => {
        const endpoint = byLane.get(lane);
        return [
          lane,
          {
            // A deleted endpoint's lane is worked to its end: each of its rows is dropped.
            fairShareKey: endpoint?.workspace_id ?? NIL_WORKSPACE,
            ratePerSecond: null,
            concurrency: CONCURRENCY,
            ordered: endpoint?.ordered ?? false,
            keyPace: null,
            closed: endpoint ? !endpoint.enabled : false,
          },
        ];
      }),
    );
  }

  async function work(row: QueueRow, claim: LaneClaim): Promise<Disposition> {
    let ready: Ready | Disposition;
    try {
      ready = await prepare(row);
    } catch (error) {
      if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown) return { kind: "again" };
      return await spoiled(row, null, error, claim);
    }
    return "kind" in ready ? ready : await attempt(row, ready, claim);
  }

  // Our own fault (a row that cannot be rendered, a secret that does not open): it takes an attempt and the schedule's
  // pause like any other failure, so that it neither spins nor stands in its neighbours' way.
  function spoiled(row: QueueRow, ready: Known | null, error: unknown, claim: LaneClaim): Promise<Disposition> {
    log.error(
      { err: error, delivery_id: row.itemId, workspace_id: row.workspaceId },
      "a delivery could not be prepared",
    );
    return outcomes.store(
      row,
      ready,
      { kind: "error", fault: "aborted", detail: "The gateway could not prepare this delivery.", durationMs: 0 },
      clock.now(),
      claim,
    );
  }

  type Ready = Known & { version: number };

  async function prepare(row: QueueRow): Promise<Ready | Disposition> {
    const cached = bodies.get(row.eventId);
    const loaded = await loads.submit({
      workspace_id: row.workspaceId,
      slot: row.slot,
      lane: row.lane,
      seq: row.seq,
      event_id: row.eventId,
      conversation: row.key ?? "0",
      body: cached === undefined,
    });
    if (loaded.endpoint_id === null || loaded.version === null) return await outcomes.drop(row);
    // Switched off a moment ago: the row stays where it is, and the lane closes with its next settings.
    if (loaded.enabled === false) return { kind: "not_ours" };
    if (loaded.behind !== null) return await outcomes.waitBehind(row, loaded.behind);
    const event = cached ?? (await rendered(row, loaded));
    return event === null
      ? await outcomes.drop(row)
      : { endpointId: loaded.endpoint_id, version: loaded.version, event };
  }

  async function rendered(row: QueueRow, loaded: LoadAnswer): Promise<RenderedEvent | null> {
    if (!isLoaded(loaded)) return null;
    const event = {
      kind: loaded.kind,
      createdAt: loaded.created_at,
      body: await renderEvent(row.workspaceId, row.eventId, loaded, deps),
    };
    bodies.put(row.eventId, event);
    return event;
  }

  async function attempt(row: QueueRow, ready: Ready, claim: LaneClaim): Promise<Disposition> {
    const { event } = ready;
    let signer: Signer | null;
    try {
      signer = await signerOf(row.workspaceId, ready.endpointId, ready.version);
    } catch (error) {
      if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown) return { kind: "again" };
      return await spoiled(row, ready, error, claim);
    }
    if (signer === null) return await outcomes.drop(row);
    // The last look at the lease: from here on bytes leave.
    if (!claim.valid()) return { kind: "not_ours" };
    const startedAt = clock.now();
    const result = await fetch.post({
      owner: ready.endpointId,
      url: signer.url,
      headers: {
        "content-type": "application/json",
        "user-agent": `Waypost/${options.version}`,
        "x-service-event": event.kind,
        "x-service-delivery": formatId("dlv", row.itemId),
        "x-service-attempt": String(row.attempt + 1),
        ...sign(formatId("evt", row.eventId), Math.floor(startedAt / 1_000), event.body, signer.secretsAt(startedAt)),
      },
      body: event.body,
      signal: claim.signal,
    });
    // Stopped while the receiver was thinking: nothing is known, so whoever owns the lane next tries the same attempt.
    if (result.kind === "error" && result.fault === "aborted") return { kind: "again" };
    if (succeeded(result)) claim.report(true);
    else if (isTrouble(result)) claim.report(false);
    const disposition = await outcomes.store(row, ready, result, startedAt, claim);
    log.info(
      {
        workspace_id: row.workspaceId,
        webhook_endpoint_id: ready.endpointId,
        delivery_id: row.itemId,
        event_id: row.eventId,
        event: event.kind,
        attempt: row.attempt + 1,
        status: result.kind === "answer" ? result.status : undefined,
        fault: result.kind === "error" ? result.fault : undefined,
        next: disposition.kind,
        due: disposition.kind === "later" ? new Date(disposition.due).toISOString() : undefined,
        ms: result.durationMs,
      },
      "delivery",
    );
    return disposition;
  }

  return {
    kind: { name: "deliver", role: "deliver", queue: deliverQueue, inFlight: IN_FLIGHT, yields, settings, work },
    async stop() {
      await Promise.all([loads.drained(), outcomes.drained()]);
      await fetch.close();
    },
  };
}

const isLoaded = (loaded: LoadAnswer): loaded is LoadedEvent =>
  loaded.kind !== null && loaded.created_at !== null && loaded.occurred_at !== null;
