import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import { deliverOutcomes, deliverQueue, loadDeliveries } from "./deliver/deliver.store.ts";
import { Deliver } from "./deliver/deliver.ts";
import { endpointLanes, warnEndpoints } from "./deliver/endpoint-lanes.store.ts";
import { deliveryVerbs } from "./deliveries/get.ts";
import { eventsAbout, waitingDeliveries } from "./deliveries/waiting.store.ts";
import { countEndpoints } from "./endpoints/endpoint-metrics.store.ts";
import { showEndpoints } from "./endpoints/endpoint-metrics.ts";
import { loadEvents, readFeed } from "./feed/feed.store.ts";
import { feedOf } from "./feed/feed.ts";
import { showFeedLag } from "./feed/lag.ts";
import { FeedReader } from "./feed/reader.ts";
import { eventStreamOf } from "./feed/stream.ts";
import { frontRows } from "./front-rows.ts";
import { OPERATIONAL_EVENTS } from "./operational-events.ts";
import { Handshakes } from "./provider-format/handshake.ts";
import { loadParts } from "./provider-format/part.store.ts";
import { askRedeliveries } from "./redeliver/ask.store.ts";
import { loadRedeliveries, redeliverOutcomes, redeliverQueue } from "./redeliver/redeliver.store.ts";
import { Redeliver } from "./redeliver/redeliver.ts";
import { REPLAY_TASK } from "./replays/replay.ts";
import { REPLAY_ROUTES } from "./replays/routes.ts";
import { replaysOf } from "./replays/run.ts";
import { SWEEP_EVERY_MS, sweepDueReplays, sweepReplays } from "./replays/sweep.ts";
import { deliveryRoutes, eventRoutes, eventStreamRoute, webhookRoutes } from "./routes.ts";

const tags = { Webhooks: "Endpoints that receive signed events, and the attempts of each delivery." } as const;
const ids = { whe: "webhook_endpoint", dlv: "delivery", rpl: "replay" } as const;
const scopes = ["webhooks:read", "webhooks:write"] as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** Endpoints, and the deliveries of events to them. */
export const webhooks: Feature = {
  name: "webhooks",
  tags,
  ids,
  scopes,
  grants: {
    deliver: { app: "insert, select", engine: "delete, insert, select, update" },
    redeliver: { app: "select", engine: "delete, insert, select, update" },
    replay: {
      app: "insert, select, update",
      engine:
        "delete, select(completed_at created_at id job_id status workspace_id), update(completed_at error status updated_at)",
    },
    replay_count: { app: "select", engine: "delete, insert, select, update" },
    delivery: { app: "select, update", engine: "insert, select, update" },
    front_secret: { app: "delete, insert, select, update", engine: "" },
    webhook_endpoint: {
      app: "delete, insert, select, update",
      engine:
        "select(advanced_at asked_at business_account_ids created_at description disabled_reason enabled events failing_events failing_since failing_stage fields front_of header_names id is_limited lane ordered parked_before phone_number_ids rate_per_second status timeout_seconds updated_at url version workspace_id), update(disabled_reason enabled failing_events failing_since failing_stage status updated_at version)",
    },
  },
  forgets: {
    tables: {
      delivery: {
        holds: "the beginning of what your endpoint answered",
        erasure: "no longer returned; stays for the retention of `deliveries`",
      },
    },
    without: ["deliver", "front_secret", "redeliver", "replay", "replay_count", "webhook_endpoint"],
  },
  moves: { deliver: "by workspace", redeliver: "by workspace" },
  functions: [
    ...queueFunctions(deliverQueue),
    ...queueFunctions(redeliverQueue),
    loadRedeliveries,
    redeliverOutcomes,
    askRedeliveries,
    sweepReplays,
    endpointLanes,
    warnEndpoints,
    countEndpoints,
    loadDeliveries,
    deliverOutcomes,
    loadParts,
    readFeed,
    loadEvents,
    waitingDeliveries,
    eventsAbout,
  ],
  events: [OPERATIONAL_EVENTS],
  build(app, { events, version }) {
    const deliver = new Deliver(app, events, { version });
    showEndpoints(app);
    const redeliver = new Redeliver(app, events, { version, envelopes: deliver.envelopes });
    const replays = replaysOf(app, deliver.envelopes);
    const reader = new FeedReader(app, events);
    const handshakes = new Handshakes(app);
    showFeedLag(app);
    return {
      routes: [
        ...webhookRoutes(handshakes),
        ...REPLAY_ROUTES,
        ...deliveryRoutes(deliveryVerbs(events, deliver.envelopes, version)),
        ...eventRoutes(feedOf(events)),
        eventStreamRoute(eventStreamOf(events, reader)),
      ],
      rowsOfCalls: frontRows(handshakes),
      kinds: [deliver, redeliver],
      tasks: { [REPLAY_TASK]: (task) => replays.run(task) },
      timers: [
        { name: "sweep replays", role: "maintenance", everyMs: SWEEP_EVERY_MS, run: () => sweepDueReplays(app) },
      ],
      async stop() {
        await reader.stop();
        await Promise.all([deliver.stop(), redeliver.stop()]);
        await handshakes.stop();
      },
    };
  },
};
