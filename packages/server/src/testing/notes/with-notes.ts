import { readFile } from "node:fs/promises";
import { FEATURES } from "../../features.ts";
import { withClient } from "../client.ts";
import { notes } from "./feature.ts";

/** Options of `startGateway`: the product's features and this one, on a database that has its table. */
export const WITH_NOTES = {
  features: [...FEATURES, notes],
  async prepare(url: string): Promise<void> {
    const migration = await readFile(new URL("migration.sql", import.meta.url), "utf8");
    await withClient(url, (client) => client.query(migration));
  },
};
