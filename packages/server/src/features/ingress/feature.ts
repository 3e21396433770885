import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import { CallbackOwners } from "./callback-owners.ts";
import { Ingest } from "./ingest.ts";
import {
  findOwners,
  finishIngest,
  ingestQueue,
  loadCallbacks,
  replayQuarantine,
  storeCallbacks,
} from "./ingress.store.ts";
import { LATER_TASK, runLater } from "./later/later.ts";
import { ParsedCallbacks } from "./parsed-callbacks.ts";
import {
  DUE_REPLAYS,
  getQuarantined,
  listQuarantine,
  replayDue,
  replayQuarantined,
  replayReason,
} from "./quarantine.store.ts";
import { replayFailed } from "./quarantine.ts";
import { Receive } from "./receive.ts";
import { INGRESS_ROUTES } from "./routes.ts";
import { TakeAtOnce } from "./take-at-once.ts";

const ids = { qrn: "quarantined" } as const;
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}

/** How often the failed changes in quarantine are checked for those that are due. */
const REPLAY_EVERY_MS = 5_000;

/** The provider's callbacks: received, stored, parsed, and passed on to messages and templates. */
export const ingress: Feature = {
  name: "ingress",
  ids,
  grants: {
    callback: { app: "", engine: "insert, select" },
    ingest: { app: "", engine: "delete, insert, select, update" },
    quarantine: { app: "", engine: "insert, select, update" },
  },
  forgets: {
    tables: {
      callback: {
        holds: "callbacks as the provider sent them",
        erasure: "stays for the retention of `callbacks`",
        stays: ["text", "number", "user_id", "provider_id"],
      },
      quarantine: {
        holds: "changes that could not be applied, as the provider sent them",
        erasure: "stays for the retention of `callbacks`",
        stays: ["text", "number", "user_id", "provider_id"],
      },
    },
    without: ["ingest"],
  },
  moves: { callback: "stays", ingest: "stays", quarantine: "stays" },
  functions: [
    ...queueFunctions(ingestQueue),
    storeCallbacks,
    loadCallbacks,
    finishIngest,
    findOwners,
    replayQuarantine,
    listQuarantine,
    getQuarantined,
    replayQuarantined,
    replayReason,
    replayDue,
  ],
  questions: [DUE_REPLAYS],
  build(app, { providerEvents }) {
    const owners = new CallbackOwners(app);
    const parses = new ParsedCallbacks(app);
    const atOnce = new TakeAtOnce(app, providerEvents, owners, parses);
    const receive = new Receive(app, atOnce);
    const ingest = new Ingest(app, { providerEvents, owners, atOnce, parses });
    return {
      routes: INGRESS_ROUTES,
      rawRoutes: receive.routes(),
      kinds: [ingest],
      tasks: { [LATER_TASK]: (task) => runLater(app, owners, task) },
      timers: [
        {
          name: "replay what failed",
          role: "ingress",
          everyMs: REPLAY_EVERY_MS,
          asks: DUE_REPLAYS,
          run: () => replayFailed(app),
        },
      ],
      stop: async () => {
        await receive.stop();
        await ingest.stop();
        await owners.waacIds.stop();
      },
    };
  },
};
