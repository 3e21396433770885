import type { Feature } from "../../feature.ts";
import { USAGE_ROUTES } from "./routes.ts";
import { countService } from "./service.store.ts";
import { countUsage } from "./usage.store.ts";
import { countAll } from "./usage.ts";

const tags = { Usage: "How many messages were exchanged, and what became of them." } as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}

const COUNT_EVERY_MS = 10_000;

/** Messages counted by day, and service messages by when they were delivered, without a write for each of them. */
export const usage: Feature = {
  name: "usage",
  tags,
  grants: {
    service_frontier: { app: "", engine: "insert, select, update" },
    service_slice: { app: "", engine: "delete, insert, select, update" },
    service_use: { app: "select", engine: "delete, insert, select, update" },
    usage_day: { app: "select", engine: "insert, select, update" },
    usage_frontier: { app: "", engine: "insert, select, update" },
    usage_slice: { app: "", engine: "delete, insert, select, update" },
  },
  forgets: {
    without: ["service_frontier", "service_slice", "service_use", "usage_day", "usage_frontier", "usage_slice"],
  },
  functions: [countUsage, countService],
  build(app) {
    return {
      routes: USAGE_ROUTES,
      timers: [
        { name: "usage", role: "maintenance", everyMs: COUNT_EVERY_MS, run: () => countAll(app, countUsage) },
        {
          name: "service allowance",
          role: "maintenance",
          everyMs: COUNT_EVERY_MS,
          run: () => countAll(app, countService),
        },
      ],
    };
  },
};
