import type { RetentionDays } from "../../config.ts";
import type { House } from "../../ctx.ts";
import { dropPartitions, ensurePartitions } from "../../db/partitions.ts";
import type { Feature } from "../../feature.ts";

const HOUR_MS = 3_600_000;

/** Which class of RETENTION_DAYS a partitioned table belongs to. */
const CLASSES: Record<string, keyof RetentionDays> = {
  message: "messages",
  message_state: "messages",
  history: "messages",
  attempt: "messages",
  event: "events",
  delivery: "deliveries",
  audit: "audit",
  callback: "callbacks",
};

/** Partitions ahead are made by every process, hourly; what is older than its class allows is dropped by maintenance. */
export function retentionFeature(house: House): Feature {
  const drop = async (): Promise<void> => {
    for (const [table, name] of Object.entries(CLASSES)) {
      const dropped = await dropPartitions(house.db.sql, table, house.config.RETENTION_DAYS[name], house.clock.now());
      if (dropped.length > 0) house.log.info({ table, dropped }, "retention");
    }
  };
  const ahead = (): Promise<void> => ensurePartitions(house.db.sql, house.clock.now());
  return {
    name: "retention",
    timers: [
      { name: "partitions ahead", role: "maintenance", everyMs: HOUR_MS, run: ahead },
      { name: "retention", role: "maintenance", everyMs: HOUR_MS, run: drop },
    ],
  };
}
