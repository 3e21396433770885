import { Client } from "pg";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";
import { NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

/** A database with one workspace, and a superuser's connection, which fills tables for any number of others. */
export type PastTheWalls = { database: Owned; admin: Client; tenant: Tenant; drop(): Promise<void> };

/** Null where the server lets no login in as a superuser. */
export async function openPastTheWalls(): Promise<PastTheWalls | null> {
  const url = await adminUrl();
  if (url === null) return null;
  const database = await ownedDatabase();
  const tenant = await makeTenant(database.db, "+15551230001", NOW);
  const admin = new Client({ connectionString: urlOf(url, new URL(database.url).pathname.slice(1)) });
  await admin.connect();
  return {
    database,
    admin,
    tenant,
    async drop() {
      await admin.end();
      await database.drop();
    },
  };
}
