import type { Client } from "pg";
import type { Tenant } from "./rows.ts";

/** Tables that grow with traffic: none may be read through, by its pages or by the whole of an index. */
export const GROWING =
  /^(dispatch|held|media|media_at_provider|media_fetch|media_file|media_use|deliver|redeliver|ingest|task|job|message|message_state|history|attempt|provider_message|parked_status|event|delivery|callback|audit|idempotency_key|contact|conversation|quarantine|flight|api_key|key_digest)(_\d{6,8})?$/;
/** How many rows of each queue came and went. */
const DEAD_ROWS = 30_000;

/** Empties every growing table, as it is after an installation; nothing is known of it. Autovacuum stays away from now on. */
export async function emptyTables(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string; partition: boolean }>(
    "select relname as name, relispartition as partition from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const growing = rows.filter(({ name }) => GROWING.test(name));
  for (const { name } of growing) await client.query(`alter table ${name} set (autovacuum_enabled = off)`);
  await client.query(`truncate ${growing.map(({ name }) => name).join(", ")}`);
}

/** Rows come and go in every queue and key table, spread over lanes and times. */
export async function bloat(client: Client, workspace: string): Promise<void> {
  const come = (into: string, values: string): Promise<unknown> => fill(client, into, values, DEAD_ROWS);
  const ws = `'${workspace}'::uuid`;
  const uuid = "new_uuid(now() - i % 40 * interval '1 day')";
  await come(
    "dispatch (slot, lane, due, workspace_id, message_id, recipient)",
    `i % 64, i % 640, case when i % 3 = 0 then now() - interval '1 hour' else '-infinity' end, ${ws}, ${uuid}, i`,
  );
  await come("held", `i % 64, i % 640, ${ws}, i, i, now()`);
  await come(
    "deliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation)",
    `i % 64, i % 640, '-infinity', ${ws}, ${uuid}, ${uuid}, i`,
  );
  await come(
    "redeliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation)",
    `i % 64, i % 640, '-infinity', ${ws}, ${uuid}, ${uuid}, i`,
  );
  await come("ingest (slot, lane, callback_id)", `i % 64, i % 640, ${uuid}`);
  await come("task (slot, lane, workspace_id, job_id)", `i % 64, i % 640, ${ws}, ${uuid}`);
  await come("idempotency_key (workspace_id, digest, fingerprint, created_at)", `${ws}, int4send(i), '\\x00', now()`);
  await come("provider_message", `${ws}, 'wamid.' || i, ${uuid}, now()`);
  await come(
    "parked_status (workspace_id, provider_message_id, bit, at, received_at)",
    `${ws}, 'parked.' || i, 4, now(), now()`,
  );
  await come(
    "event (workspace_id, id, era, kind, sequence, occurred_at, created_at)",
    `${ws}, ${uuid}, 1, 'sent', i, now(), now()`,
  );
  await come("callback", `${uuid}, now(), '\\x00'`);
  await come("flight (id)", "gen_random_uuid()");
  for (const table of [
    "dispatch",
    "held",
    "deliver",
    "redeliver",
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
}

/** Rows of each queue in a backlog. */
const WAITING_ROWS = 100_000;
/** Rows of each other table of a busy workspace: enough for an index of it to have more pages than a statement may touch. */
const KEPT_ROWS = 30_000;

const fill = (client: Client, into: string, values: string, rows: number): Promise<unknown> =>
  client.query(`insert into ${into} select ${values} from generate_series(1, ${rows}) i`);

/** Backlogs in the very slots of a tenant's number and endpoint: scheduled messages, and retries. */
export async function fillQueues(client: Client, tenant: Tenant): Promise<void> {
  const { workspace, numberLane, endpointLane } = tenant;
  const ws = `'${workspace}'::uuid`;
  const later = "now() + interval '1 day' + i * interval '1 millisecond'";
  const lanes = (lane: number): string => `${lane % 64}, ${lane} + 64 * (i % 2), ${later}`;
  const queues = {
    "dispatch (slot, lane, due, workspace_id, message_id, recipient)": `${lanes(numberLane)}, ${ws}, gen_random_uuid(), i`,
    // Beside the endpoint's lane: an ordered endpoint looks through all that waits in its own.
    "deliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation)": `${lanes(endpointLane + 64)}, ${ws}, gen_random_uuid(), gen_random_uuid(), i`,
    "redeliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation)": `${lanes(endpointLane + 64)}, ${ws}, gen_random_uuid(), gen_random_uuid(), i`,
    "ingest (slot, lane, due, callback_id)": `${lanes(numberLane)}, gen_random_uuid()`,
    "task (slot, lane, due, workspace_id, job_id)": `${lanes(numberLane)}, ${ws}, gen_random_uuid()`,
  };
  for (const [into, values] of Object.entries(queues)) await fill(client, into, values, WAITING_ROWS);
}

/** Messages of this month, contacts, deliveries of today, and what was set aside. */
export async function fillMessages(client: Client, { workspace, number, endpoint }: Tenant): Promise<void> {
  const ws = `'${workspace}'::uuid`;
  const tables = {
    "contact (workspace_id, id, phone, user_id, created_at, updated_at)": `${ws}, md5('contact' || i)::uuid, '+1666' || i, 'user.' || i, now(), now()`,
    "message (workspace_id, id, outbound, phone_number_id, contact_id, type, content, reference, sequence, created_at)": `${ws}, new_uuid(now()), true, '${number}', md5('contact' || i % 1000)::uuid, 'text', '{}', 'order ' || i % 1000, i, now()`,
    "delivery (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, created_at, attempts)": `${ws}, new_uuid(now()), gen_random_uuid(), case i % 100 when 0 then '${endpoint}'::uuid else md5('endpoint' || i % 100)::uuid end, 'sent', 'succeeded', 1, now(), '[]'`,
    "quarantine (id, callback_id, provider_phone_number_id, reason, created_at)":
      "gen_random_uuid(), gen_random_uuid(), 'number ' || i, 'unowned', now()",
  };
  for (const [into, values] of Object.entries(tables)) await fill(client, into, values, KEPT_ROWS);
  await client.query(
    "insert into message_state (workspace_id, id, contact_id, conversation) select workspace_id, id, contact_id, 1 from message where workspace_id = $1",
    [workspace],
  );
  // Autovacuum would write what waits for this index by now; else all of that is the work of the statement that comes by.
  await client.query("select gin_clean_pending_list('contact_search')");
}
