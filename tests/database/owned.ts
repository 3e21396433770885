import { type Database, openDatabase } from "../../packages/server/src/db/database.ts";
import { readRoles } from "../../packages/server/src/db/migrate.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { testDatabase } from "../../packages/server/src/testing/database.ts";

/** The time of all calls, as a number and as a row says it. */
export const NOW = Date.now();
export const AT = new Date(NOW).toISOString();
/** Owns every slot in its first epoch. */
export const WORKER = newUuid(NOW);

export type Owned = { url: string; db: Database; drop(): Promise<void> };

/** A database of its own as the server opens it, all slots of which belong to `WORKER`. */
export async function ownedDatabase(): Promise<Owned> {
  const database = await testDatabase();
  const roles = await readRoles(database.url);
  const db = openDatabase({ url: database.url, appRole: roles?.appRole ?? "", onError: () => {} });
  await db.sql.run(
    "insert into worker (id, roles, version, expires_at) values ($1, '{dispatch}', 'test', now() + interval '1 hour')",
    [WORKER],
  );
  await db.sql.run("update slot set owner = $1, epoch = 1", [WORKER]);
  return {
    url: database.url,
    db,
    async drop() {
      await db.close();
      await database.drop();
    },
  };
}
