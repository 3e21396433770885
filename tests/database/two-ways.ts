import type { Client } from "pg";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { callHot, openWorld, type Row, type World } from "./hot-examples.ts";
import { NOW, type Owned } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// A usual row that is alone in its call takes a short way through its hot function, any other the way for many rows. Both must do the
// same. The same history is run in two workspaces, in one of them with each row alone, in the other with each row beside one of a third workspace.

/** One workspace in which a history is run. */
export type Run = World & {
  tenant: Tenant;
  /** Calls a hot function with a row of the history, in the way that is tested. */
  take(name: string, row: object): Promise<Row>;
  /** An id that stands for the same in both workspaces. */
  id(name: string): string;
  /** Compares something more of both workspaces. */
  note(what: unknown): void;
};
export type History = (run: Run) => Promise<void>;

type Outcome = { answers: string[]; rows: string[] };

/** Of each function, a row of another workspace beside which a row is not alone. */
export type Fillers = Readonly<Record<string, (tenant: Tenant) => object>>;

/** Runs the history both ways, in workspaces of its own, in a transaction that is rolled back. */
export async function inBothWays({ db }: Owned, client: Client, fillers: Fillers, history: History) {
  const { rows } = await client.query<{ role: string }>("select engine_role as role from installation");
  const role = rows[0]?.role ?? "";
  const tenantOf = (): Promise<Tenant> => makeTenant(db, "+15551230000", NOW);
  const [one, other, beside] = await Promise.all([tenantOf(), tenantOf(), tenantOf()]);
  await client.query(
    `begin; grant ${role} to current_user; grant all on all tables in schema public to ${role}; grant all on all sequences in schema public to ${role}; set local role ${role}`,
  );
  try {
    const alone = await outcomeOf(client, one, history, null);
    const together = await outcomeOf(client, other, history, { tenant: beside, fillers });
    return { alone, together };
  } finally {
    await client.query("rollback");
  }
}

/** A callback with these reports, of a number no callback of which is in the queue. */
export const callbackOf = (
  { workspace, providerNumber, numberLane }: Tenant,
  reports: readonly object[],
  id = newUuid(NOW),
) => ({
  id,
  lane: numberLane,
  number: providerNumber,
  workspace_id: workspace,
  body: "e30=",
  reports,
});

/** Runs the history in the workspace; what was answered and what its rows are then, comparable with those of another workspace. */
async function outcomeOf(
  client: Client,
  tenant: Tenant,
  history: History,
  beside: { tenant: Tenant; fillers: Fillers } | null,
): Promise<Outcome> {
  const names = new Map(Object.entries(tenant).map(([name, value]) => [String(value), `<${name}>`]));
  const ids = new Map<string, string>();
  const answers: string[] = [];
  const masked = (text: string): string =>
    text
      .replaceAll(UUID, (id) => names.get(id) ?? "<generated>")
      .replaceAll(/\b[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}\b/g, "<public id>")
      .replaceAll(
        /"(seq|sequence|changed_in|conversation|recipient|lane|slot|slots_mask|delivery_id)": ?("[^"]*"|-?\d+)/g,
        '"$1":<masked>',
      );
  const world = await openWorld(client);
  await history({
    ...world,
    tenant,
    id(name) {
      const id = ids.get(name) ?? newUuid(NOW);
      ids.set(name, id);
      names.set(id, `<${name}>`);
      return id;
    },
    note(what) {
      answers.push(masked(JSON.stringify(what)));
    },
    async take(name, row) {
      const filler = beside?.fillers[name]?.(beside.tenant);
      const [answer = {}] = await callHot(client, name, filler === undefined ? [row] : [row, filler]);
      answers.push(masked(JSON.stringify(answer)));
      return answer;
    },
  });
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  const rows: string[] = [];
  for (const { name } of tables)
    for (const { row } of (await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t`)).rows)
      if (row.match(UUID)?.some((id) => names.has(id))) rows.push(`${name} ${masked(row)}`);
  return { answers, rows: rows.toSorted() };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A sequence of choices that is the same for the same seed. */
export function choices(seed: number): <T>(from: readonly T[]) => T {
  let state = seed;
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] as (typeof from)[number];
  };
}
