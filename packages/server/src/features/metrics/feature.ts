import type { Feature } from "../../feature.ts";
import { countAllMessages } from "./counting.ts";
import { countMessages } from "./message-counts.store.ts";
import { METRIC_ROUTES } from "./routes.ts";

const tags = { Metrics: "What happened to messages and deliveries over time, and how long it took." } as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}

/** With the oldest transaction that runs meanwhile, what a reader sees is below a minute old. */
const COUNT_EVERY_MS = 20_000;

/** Counts and times of short intervals, kept apart from what they are of, without a write for each message. */
export const metrics: Feature = {
  name: "metrics",
  tags,
  grants: {
    metric: { app: "select", engine: "delete, insert, select, update" },
    metric_frontier: { app: "", engine: "insert, select, update" },
  },
  forgets: { without: ["metric", "metric_frontier"] },
  moves: { "metric_frontier.era": "written again", "metric_frontier.xid": "written again" },
  functions: [countMessages],
  build(app) {
    return {
      routes: METRIC_ROUTES,
      timers: [
        { name: "message metrics", role: "maintenance", everyMs: COUNT_EVERY_MS, run: () => countAllMessages(app) },
      ],
    };
  },
};
