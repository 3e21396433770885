import type { Client } from "pg";

/** Tables that grow with traffic: none may be read through, by its pages or by the whole of an index. */
export const GROWING =
  /^(dispatch|held|deliver|ingest|task|job|message|message_state|history|attempt|provider_message|parked_status|event|delivery|callback|audit|idempotency_key|contact|conversation|quarantine|flight|api_key|key_digest)(_\d{6,8})?$/;
/** How many rows of each queue came and went. */
export const DEAD_ROWS = 30_000;

/** Rows come and go in every queue and key table, spread over lanes and times; statistics are taken when they are gone. */
export async function bloat(client: Client, workspace: string): Promise<void> {
  const growing = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  for (const { name } of growing.rows)
    if (GROWING.test(name)) await client.query(`alter table ${name} set (autovacuum_enabled = off)`);
  const fill = (into: string, values: string): Promise<unknown> =>
    client.query(`insert into ${into} select ${values} from generate_series(1, ${DEAD_ROWS}) i`);
  const ws = `'${workspace}'::uuid`;
  const uuid = "new_uuid(now() - i % 40 * interval '1 day')";
  await fill(
    "dispatch (slot, lane, due, workspace_id, message_id, recipient)",
    `i % 64, i % 640, case when i % 3 = 0 then now() - interval '1 hour' else '-infinity' end, ${ws}, ${uuid}, i`,
  );
  await fill("held", `i % 64, i % 640, ${ws}, i, i, now()`);
  await fill(
    "deliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation)",
    `i % 64, i % 640, '-infinity', ${ws}, ${uuid}, ${uuid}, i`,
  );
  await fill("ingest (slot, lane, callback_id)", `i % 64, i % 640, ${uuid}`);
  await fill("task (slot, lane, workspace_id, job_id)", `i % 64, i % 640, ${ws}, ${uuid}`);
  await fill("idempotency_key (workspace_id, digest, fingerprint, created_at)", `${ws}, int4send(i), '\\x00', now()`);
  await fill("provider_message", `${ws}, 'wamid.' || i, ${uuid}, now()`);
  await fill(
    "parked_status (workspace_id, provider_message_id, bit, at, received_at)",
    `${ws}, 'parked.' || i, 4, now(), now()`,
  );
  await fill(
    "event (workspace_id, id, era, kind, sequence, occurred_at, created_at)",
    `${ws}, ${uuid}, 1, 'sent', i, now(), now()`,
  );
  await fill("callback", `${uuid}, now(), '\\x00'`);
  await fill("flight (id)", "gen_random_uuid()");
  for (const table of [
    "dispatch",
    "held",
    "deliver",
    "ingest",
    "task",
    "idempotency_key",
    "provider_message",
    "parked_status",
    "event",
    "callback",
    "flight",
  ])
    await client.query(`delete from ${table}`);
  await client.query("analyze");
}
