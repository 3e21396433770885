import type { Client } from "pg";
import { withClient } from "./client.ts";

/** How many rows each table has, over all workspaces; tables without rows are left out. */
export const countRows = (url: string): Promise<Record<string, number>> =>
  seeingAll(url, async (client) => {
    const counts: Record<string, number> = {};
    for (const name of await tableNames(client)) {
      const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from "${name}"`);
      if (rows[0]?.n) counts[name] = rows[0].n;
    }
    return counts;
  });

/** Every row of every table as text, as in a dump. */
export const dumpRows = (url: string): Promise<string> =>
  seeingAll(url, async (client) => {
    const lines: string[] = [];
    for (const name of await tableNames(client)) {
      const { rows } = await client.query<{ line: string }>(`select t::text as line from "${name}" t`);
      for (const { line } of rows) lines.push(`${name} ${line}`);
    }
    return lines.join("\n");
  });

/** The tables with rows that one of these regular expressions is found in, each with its names; as JSON, over all workspaces. */
export const tablesWith = (
  url: string,
  patterns: Readonly<Record<string, string>>,
): Promise<Record<string, readonly string[]>> =>
  seeingAll(url, async (client) => {
    const found: Record<string, readonly string[]> = {};
    for (const name of await tableNames(client)) {
      const { rows } = await client.query<{ names: string[] }>(
        `select array(
           select p.name from unnest($1::text[], $2::text[]) p(name, pattern)
           where exists (select from "${name}" t where to_jsonb(t)::text ~ p.pattern) order by 1) as names`,
        [Object.keys(patterns), Object.values(patterns)],
      );
      if (rows[0] && rows[0].names.length > 0) found[name] = rows[0].names;
    }
    return found;
  });

/** The owner sees no row of a workspace; as a member of the engine role, in this transaction, it sees all. */
const seeingAll = <Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
    const role = rows[0]?.engine_role ?? "";
    await client.query("begin"); // the rollback takes the grants back
    await client.query(`grant ${role} to current_user`);
    await client.query(`grant select on all tables in schema public to ${role}`);
    await client.query(`set local role ${role}`);
    try {
      return await work(client);
    } finally {
      await client.query("rollback");
    }
  });

async function tableNames(client: Client): Promise<string[]> {
  const text = `select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`;
  return (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);
}
