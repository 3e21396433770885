import type { App } from "../../ctx.ts";
import type { Feature, FeatureFunctions } from "../../feature.ts";
import { egressPolicy } from "../../lib/safe-fetch-target.ts";
import { deliverFunctions } from "./deliver/deliver.store.ts";
import { Deliver, type DeliverOptions } from "./deliver/deliver.ts";
import { findListeners } from "./endpoints/listeners.store.ts";
import { emitEvents } from "./events/event.store.ts";
import type { EventDeps } from "./events/event-body.ts";
import { webhookRoutes } from "./routes.ts";

/** Endpoints, events and their deliveries. `deps` render the resources of other features in events. */
export function webhooksFeature(app: App, deps: EventDeps, options: DeliverOptions): Feature {
  const deliver = new Deliver(app, deps, options);
  const policy = egressPolicy(app.config.EGRESS_ALLOW_CIDRS, app.config.EGRESS_ALLOW_PORTS);
  return { name: "webhooks", routes: webhookRoutes(policy), kinds: [deliver], stop: () => deliver.stop() };
}

export const webhookFunctions: FeatureFunctions = [...deliverFunctions, emitEvents, findListeners];
