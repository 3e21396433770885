import type { Feature } from "../../feature.ts";
import { HOUR_MS } from "../../lib/duration.ts";
import {
  type Places,
  pruneConsoleSessions,
  pruneErasedNames,
  pruneIdempotencyKeys,
  pruneKeptAnswerContacts,
  pruneMediaUses,
  pruneMetrics,
  pruneParkedDeliveries,
  pruneParkedRedeliveries,
  pruneParkedStatuses,
  prunePortfolioRecipients,
  prunePortfolioReturns,
  pruneProviderMessages,
  pruneProviderNotices,
  pruneSetupLinks,
  queueNeeds,
} from "./retention.store.ts";
import { pruneOldFlights, retain } from "./retention.ts";

const FLIGHTS_EVERY_MS = 5 * 60_000;

/** Drops partitions and deletes rows that are older than their class allows, and drops functions and indexes that no running version uses. */
export const retention: Feature = {
  name: "retention",
  functions: [
    pruneConsoleSessions,
    pruneIdempotencyKeys,
    pruneKeptAnswerContacts,
    pruneMediaUses,
    pruneMetrics,
    pruneProviderMessages,
    pruneProviderNotices,
    pruneErasedNames,
    pruneParkedDeliveries,
    pruneParkedRedeliveries,
    pruneParkedStatuses,
    prunePortfolioRecipients,
    prunePortfolioReturns,
    pruneSetupLinks,
    queueNeeds,
  ],
  build(app) {
    const places: Places = new Map();
    return {
      timers: [
        { name: "retention", role: "maintenance", everyMs: HOUR_MS, run: () => retain(app, places) },
        {
          name: "marks of calls",
          role: "maintenance",
          everyMs: FLIGHTS_EVERY_MS,
          run: async () => void (await pruneOldFlights(app, places)),
        },
      ],
    };
  },
};
