import type { App } from "../../ctx.ts";
import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import type { ApplyDeps } from "./apply.ts";
import { CallbackOwners } from "./callback-owners.ts";
import { Ingest } from "./ingest.ts";
import {
  findRoutes,
  finishIngest,
  ingestQueue,
  loadCallbacks,
  replayQuarantine,
  storeCallbacks,
} from "./ingress.store.ts";
import { QUARANTINE_FUNCTIONS } from "./quarantine.store.ts";
import { replayFailed } from "./quarantine.ts";
import { Receive } from "./receive.ts";
import { ingressRoutes } from "./routes.ts";

export const INGRESS_FUNCTIONS = [
  ...queueFunctions(ingestQueue),
  storeCallbacks,
  loadCallbacks,
  finishIngest,
  findRoutes,
  replayQuarantine,
  ...QUARANTINE_FUNCTIONS,
];

/** How often the failed changes in quarantine are checked for those that are due. */
const REPLAY_EVERY_MS = 5_000;

/** The provider's callbacks: received, stored, parsed, and passed on to the features in `deps`. */
export function ingressFeature(app: App, deps: Omit<ApplyDeps, "owners">): Feature {
  const receive = new Receive(app);
  const ingest = new Ingest(app, { ...deps, owners: new CallbackOwners(app) });
  return {
    name: "ingress",
    routes: ingressRoutes(),
    rawRoutes: receive.routes(),
    kinds: [ingest],
    timers: [{ name: "replay what failed", role: "ingress", everyMs: REPLAY_EVERY_MS, run: () => replayFailed(app) }],
    stop: async () => {
      await receive.stop();
      await ingest.stop();
    },
  };
}
