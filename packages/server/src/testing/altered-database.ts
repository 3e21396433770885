import type { Database } from "../db/database.ts";

/** The database with some of its members replaced, so that a test can delay, count or fail calls. */
export const alteredDatabase = (db: Database, replaced: Partial<Database>): Database =>
  new Proxy(db, {
    get(target, name) {
      const found: unknown = Reflect.get(name in replaced ? replaced : target, name);
      // Bound, because private fields are those of the database itself and not of its proxy.
      return typeof found === "function" ? (found.bind(target) as unknown) : found;
    },
  });
