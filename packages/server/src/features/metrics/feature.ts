import type { Feature } from "../../feature.ts";
import { COUNTED_ATTEMPTS, countAttemptRows } from "./attempt-counts.store.ts";
import { countAllAttempts, countAllMessages } from "./counting.ts";
import { countMessages } from "./message-counts.store.ts";
import { METRIC_ROUTES } from "./routes.ts";

const tags = { Metrics: "What happened to messages and deliveries over time, and how long it took." } as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}

/**
 * With the oldest transaction that runs meanwhile, what a reader sees is below a minute old. Whether there is anything to count of messages
 * is not asked before: it takes a look at the place of each workspace, as counting does.
 */
const COUNT_EVERY_MS = 20_000;

/** Counts and times of short intervals, kept apart from what they are of, without a write for each message. */
export const metrics: Feature = {
  name: "metrics",
  tags,
  grants: {
    attempt_count: { app: "", engine: "delete, insert, select" },
    metric: { app: "select", engine: "delete, insert, select, update" },
    metric_frontier: { app: "", engine: "insert, select, update" },
  },
  forgets: { without: ["attempt_count", "metric", "metric_frontier"] },
  moves: { "metric_frontier.era": "written again", "metric_frontier.xid": "written again" },
  functions: [countMessages, countAttemptRows],
  questions: [COUNTED_ATTEMPTS],
  build(app) {
    return {
      routes: METRIC_ROUTES,
      timers: [
        { name: "message metrics", role: "maintenance", everyMs: COUNT_EVERY_MS, run: () => countAllMessages(app) },
        {
          name: "delivery metrics",
          role: "maintenance",
          everyMs: COUNT_EVERY_MS,
          asks: COUNTED_ATTEMPTS,
          run: () => countAllAttempts(app),
        },
      ],
    };
  },
};
