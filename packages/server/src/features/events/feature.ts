import type { Feature } from "../../feature.ts";
import { emitEvents } from "./event.store.ts";
import { findListeners } from "./listeners.store.ts";
import { loadRawCallback } from "./raw-callback.ts";

const ids = { evt: "event" } as const;
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}

/** What happened, for the endpoints that subscribed to it: written by the features, each in the transaction of what it did. */
export const events: Feature = {
  name: "events",
  ids,
  grants: {
    event: { app: "insert, select", engine: "insert, select, update(state)" },
    feed_mark: { app: "", engine: "delete, insert, select" },
  },
  forgets: {
    tables: {
      event: {
        holds:
          "the provider's ids and errors, its words for a marketing setting, and what the business calls a payment; content is read from message and contact",
        erasure: "rendered without them, also for deliveries that wait; stays for the retention of `events`",
        stays: ["provider_id", "text"],
      },
    },
    without: ["feed_mark"],
  },
  moves: {
    "event.xid": "written again",
    "feed_mark.era": "written again",
    "feed_mark.xid": "written again",
  },
  functions: [emitEvents, findListeners, loadRawCallback],
};
