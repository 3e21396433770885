import type { Feature } from "../../feature.ts";
import { USAGE_ROUTES } from "./routes.ts";
import { countService, DUE_SERVICE } from "./service.store.ts";
import { countUsage, DUE_USAGE } from "./usage.store.ts";
import { countAll } from "./usage.ts";

const tags = { Usage: "How many messages were exchanged, and what became of them." } as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}

/** How often slices are counted that are due. */
const COUNT_EVERY_MS = 10_000;
/** How often slices are cut too: once an hour there is one to cut. */
const CUT_EVERY_MS = 60_000;

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
  questions: [DUE_USAGE, DUE_SERVICE],
  build(app) {
    const counts = { role: "maintenance", run: () => countAll(app, countUsage) } as const;
    const countsService = { role: "maintenance", run: () => countAll(app, countService) } as const;
    return {
      routes: USAGE_ROUTES,
      timers: [
        { ...counts, name: "usage", everyMs: COUNT_EVERY_MS, asks: DUE_USAGE },
        { ...counts, name: "new usage", everyMs: CUT_EVERY_MS },
        { ...countsService, name: "service allowance", everyMs: COUNT_EVERY_MS, asks: DUE_SERVICE },
        { ...countsService, name: "new service messages", everyMs: CUT_EVERY_MS },
      ],
    };
  },
};
