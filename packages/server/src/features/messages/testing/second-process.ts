import type { App } from "../../../ctx.ts";
import { openDatabase } from "../../../db/database.ts";
import { withClient } from "../../../testing/client.ts";
import type { Gateway } from "../../../testing/gateway.ts";

/** The parts of another process on the gateway's database, which knows nothing of what the first does; `stop` closes its connections. */
export async function secondProcess(gateway: Gateway): Promise<{ app: App; stop(): Promise<void> }> {
  const { url } = gateway.database;
  const appRole = await withClient(url, async (client) => {
    const { rows } = await client.query<{ app: string }>("select app_role as app from installation");
    return rows[0]?.app ?? "";
  });
  const db = openDatabase({ url, appRole, onError: () => undefined });
  return { app: { ...gateway.app, db }, stop: () => db.close() };
}
