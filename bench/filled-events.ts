import type { Client } from "pg";
import { ensurePartitionsSince } from "../packages/server/src/db/partitions.ts";
import { DAY_MS } from "../packages/server/src/lib/duration.ts";
import { NIL_WORKSPACE } from "../packages/server/src/lib/ids.ts";
import { withClient } from "../packages/server/src/testing/client.ts";

/** Of a message. */
export const EVENTS_EACH = 10;
export const EVENT_DAYS = 29;
/** Of one statement, and so of one transaction: those of a callback are fewer. */
const AT_ONCE = 5_000;

/** Events of the messages that there are, one in a thousand of a rare kind, in transactions that follow each other through the days. */
export async function fillEvents(databaseUrl: string, events: number): Promise<void> {
  await asEngine(databaseUrl, "event", async (client) => {
    await client.query(
      `create temporary table filled_message as
       select workspace_id, id, contact_id, row_number() over (order by id) - 1 as n, count(*) over () as messages from message`,
    );
    await client.query("create index on filled_message (n)");
    const { rows: marks } = await client.query("select to_regclass('feed_mark') as name");
    for (let first = 0; first < events; first += AT_ONCE) {
      await client.query(
        `insert into event (workspace_id, id, era, kind, sequence, message_id, contact_id, occurred_at, state, created_at)
         select m.workspace_id, new_uuid(t.at), 1, case when g.n % 1000 = 0 then 'failed' else 'delivered' end,
           nextval('conversation_sequence'), m.id, m.contact_id, t.at, '{}', t.at
         from generate_series($1::bigint, $2::bigint) g(n)
         cross join lateral (select now() - make_interval(secs => $3 * (1 - g.n::float8 / $4)) as at) t
         join filled_message m on m.n = g.n / ${EVENTS_EACH}`,
        [first, Math.min(first + AT_ONCE, events) - 1, (EVENT_DAYS * DAY_MS) / 1_000, events],
      );
      // As they are noted while time passes; builds of before have none.
      if (marks[0]?.name)
        await client.query(
          `insert into feed_mark (workspace_id, at, era, xid)
           select '${NIL_WORKSPACE}', now() - make_interval(secs => $1), 1, pg_snapshot_xmin(pg_current_snapshot())`,
          [((EVENT_DAYS * DAY_MS) / 1_000) * (1 - Math.min(first + AT_ONCE, events) / events)],
        );
    }
  });
}

/** Deliveries of the newest events to the first endpoint of their workspace, as they are once they have succeeded. */
export async function fillDeliveries(databaseUrl: string, deliveries: number): Promise<void> {
  await asEngine(databaseUrl, "delivery", async (client) => {
    await client.query(
      `insert into delivery (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, created_at, completed_at, attempts)
       select e.workspace_id, new_uuid(e.created_at), e.id, p.id, e.kind, 'succeeded', 1, e.created_at, e.created_at, '[]'
       from (select * from event order by id desc limit $1) e
       cross join lateral (select p.id from webhook_endpoint p where p.workspace_id = e.workspace_id order by p.id limit 1) p`,
      [deliveries],
    );
  });
}

/** Fills a table that has a partition for each day. */
async function asEngine(databaseUrl: string, table: string, fill: (client: Client) => Promise<void>): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const sql = {
      query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
        (await client.query<Row>(text, [...values])).rows,
      run: async (text: string, values: readonly unknown[] = []) =>
        (await client.query(text, [...values])).rowCount ?? 0,
    };
    const now = Date.now();
    await ensurePartitionsSince(sql, [table], now - EVENT_DAYS * DAY_MS, now);
    const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
    const engine = rows[0]?.engine_role ?? "";
    await client.query(`grant "${engine}" to current_user`);
    await client.query(`set role "${engine}"`);
    await client.query("set statement_timeout = 0");
    await fill(client);
    await client.query("reset role");
    await client.query(`vacuum analyze ${table}`);
  });
}
