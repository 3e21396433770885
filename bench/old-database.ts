import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { withClient } from "../packages/server/src/testing/client.ts";
import type { Build } from "./children.ts";

const MONTHS = 16;
/** The most that the gateway keeps, with today. */
const DAYS = 45;
const DAY_MS = 86_400_000;

/** Settings under which the partitions below are kept. */
export const KEEP_OLD = { RETENTION_DAYS: "messages=1650,audit=1650,events=44,deliveries=44,callbacks=44" };

type Sql = {
  query(text: string, values?: unknown[]): Promise<object[]>;
  run(text: string, values?: unknown[]): Promise<number>;
};

/** Gives a migrated database the empty partitions that it would have after 16 months. By the build's own sources: builds differ in their tables. */
export async function makeOld(build: Build, databaseUrl: string): Promise<void> {
  const file = pathToFileURL(join(build.root, "packages/server/src/db/partitions.ts")).href;
  const { ensurePartitions } = (await import(file)) as { ensurePartitions(sql: Sql, nowMs: number): Promise<void> };
  await withClient(databaseUrl, async (client) => {
    const query: Sql["query"] = async (text, values) => (await client.query<object>(text, values)).rows;
    const run: Sql["run"] = async (text, values) => (await client.query(text, values)).rowCount ?? 0;
    // What it creates for a day are the days around it too; months ago only monthly tables are wanted.
    const monthly: Sql["run"] = async (text) => (/_\d{8}\b/.test(text) ? 0 : await run(text));
    const today = new Date();
    // Each call creates the period before its moment too.
    for (let day = 0; day < DAYS - 1; day += 1) await ensurePartitions({ query, run }, Date.now() - day * DAY_MS);
    for (let month = 0; month < MONTHS - 1; month += 1)
      await ensurePartitions({ query, run: monthly }, Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - month, 1));
  });
}
