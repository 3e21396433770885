import type { Client } from "pg";
import { INDEXES } from "../../packages/server/src/db/indexes.ts";

/** The indexes that the first migrations make, and what they are called on partitions: by the server. */
const OLD = [
  ...["dispatch", "deliver", "ingest", "task"].map((table) => `index ${table}_lane on ${table} (slot, lane, due, seq)`),
  "unique index contact_phone on contact (workspace_id, phone)",
  "unique index contact_user_id on contact (workspace_id, user_id)",
  "index message_contact on message (workspace_id, contact_id, id)",
  "index webhook_endpoint_by_workspace on webhook_endpoint (workspace_id) include (events, lane, id) where lane >= 0",
  "index delivery_endpoint on delivery (workspace_id, webhook_endpoint_id, id)",
];

/** Makes the indexes of a database what they were before those of `INDEXES`. */
export async function makeOld(client: Client): Promise<void> {
  for (const { name } of INDEXES) await client.query(`drop index ${name}`);
  for (const index of OLD) await client.query(`create ${index}`);
}

/** All indexes by their definitions; those of partitions without their names, which are their own. */
export const indexesOf = `
  select i.tablename as table, case when c.relispartition then regexp_replace(i.indexdef, 'INDEX \\S+ ON', 'INDEX ON') else i.indexdef end as definition
  from pg_indexes i join pg_class c on c.oid = format('%I.%I', i.schemaname, i.tablename)::regclass
  where i.schemaname = 'public' order by 1, 2`;
