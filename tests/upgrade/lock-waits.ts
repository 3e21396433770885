import { Client } from "pg";

/** Tables that every accept, send, status and delivery writes. */
const HOT = [
  "dispatch",
  "held",
  "deliver",
  "ingest",
  "task",
  "job",
  "message",
  "message_state",
  "history",
  "attempt",
  "provider_message",
  "event",
  "delivery",
  "callback",
  "audit",
  "idempotency_key",
  "contact",
  "conversation",
  "flight",
];

export type LockWaits = {
  /** How long a writer had to wait for each table at most, in milliseconds, as the server measured it; how often each was tried. */
  stop(): Promise<{ longest: Record<string, number>; rounds: number }>;
};

/** Goes round the hot tables as a writer that also plans a look-up, which needs the table's indexes. */
export async function watchLocks(url: string): Promise<LockWaits> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("set statement_timeout = 0");
  const longest: Record<string, number> = Object.fromEntries(HOT.map((table) => [table, 0]));
  let rounds = 0;
  let watching = true;
  const watched = (async () => {
    for (; watching; rounds++)
      for (const table of HOT) {
        const results = await client.query<{ ms: number }>(
          `begin; lock table ${table} in row exclusive mode; select from ${table} limit 0;
           select (extract(epoch from clock_timestamp() - transaction_timestamp()) * 1000)::float8 as ms; commit`,
        );
        // One result for each statement of the text.
        const ms = (results as unknown as { rows: { ms: number }[] }[])[3]?.rows[0]?.ms ?? Number.NaN;
        longest[table] = Math.max(longest[table] ?? 0, ms);
      }
  })();
  return {
    async stop() {
      watching = false;
      try {
        await watched;
      } finally {
        await client.end();
      }
      return { longest, rounds };
    },
  };
}
