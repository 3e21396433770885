import type { App } from "../../ctx.ts";
import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import type { ApplyDeps } from "./apply.ts";
import { createRoutes } from "./callback-owners.ts";
import { createIngest } from "./ingest.ts";
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
import { createReceive } from "./receive.ts";
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

/** How often what failed is looked through for what is due. */
const REPLAY_EVERY_MS = 5_000;

/** What was connected: its callbacks may have come before anybody owned it. */
export type Connected = { providerAccountId: string; providerPhoneNumberIds: readonly string[] };

export function ingressFeature(app: App, deps: Omit<ApplyDeps, "routes">): Feature {
  const receive = createReceive(app);
  const ingest = createIngest(app, { ...deps, routes: createRoutes(app) });
  return {
    name: "ingress",
    routes: ingressRoutes(),
    rawRoutes: receive.routes,
    kinds: [ingest.kind],
    timers: [{ name: "replay what failed", role: "ingress", everyMs: REPLAY_EVERY_MS, run: () => replayFailed(app) }],
    stop: async () => {
      await receive.stop();
      await ingest.stop();
    },
  };
}

/** Callbacks of a number or account that nobody owned are parsed again now that somebody does. */
export async function replayUnowned(app: App, connected: Connected): Promise<void> {
  const rows = [
    { provider_phone_number_id: null, provider_account_id: connected.providerAccountId },
    ...connected.providerPhoneNumberIds.map((id) => ({ provider_phone_number_id: id, provider_account_id: null })),
  ];
  const slots = await app.db.call(replayQuarantine, rows, app.clock.now());
  app.notifier.hint(
    "ingest",
    slots.map((row) => row.slot),
  );
}
