import type { Sql } from "../../db/database.ts";
import { type HotFunction, hotFunction } from "../../db/hot-function.ts";
import type { PageRequest } from "../../http/pagination.ts";

export type WorkspaceRow = { id: string; name: string; status: string; created_at: Date; updated_at: Date };

const COLUMNS = "workspace_id as id, name, status, created_at, updated_at";

/** Moves the running transaction into another workspace: row-level security shows that one's rows from here on. */
export async function enterWorkspace(sql: Sql, workspaceId: string): Promise<void> {
  await sql.query("select set_config('app.workspace_id', $1, true)", [workspaceId]);
}

export async function insertWorkspace(sql: Sql, workspaceId: string, row: WorkspaceRow): Promise<void> {
  await sql.run(
    "insert into workspace (workspace_id, name, status, created_at, updated_at) values ($1, $2, $3, $4, $5)",
    [workspaceId, row.name, row.status, row.created_at, row.updated_at],
  );
}

export async function findWorkspace(sql: Sql, workspaceId: string): Promise<WorkspaceRow | null> {
  const [row] = await sql.query<WorkspaceRow>(`select ${COLUMNS} from workspace where workspace_id = $1`, [
    workspaceId,
  ]);
  return row ?? null;
}

export async function lockWorkspace(sql: Sql, workspaceId: string): Promise<WorkspaceRow | null> {
  const [row] = await sql.query<WorkspaceRow>(
    `select ${COLUMNS} from workspace where workspace_id = $1 for no key update`,
    [workspaceId],
  );
  return row ?? null;
}

export async function updateWorkspace(sql: Sql, workspaceId: string, row: WorkspaceRow): Promise<void> {
  await sql.run("update workspace set name = $2, status = $3, updated_at = $4 where workspace_id = $1", [
    workspaceId,
    row.name,
    row.status,
    row.updated_at,
  ]);
}

// The one list over all workspaces; everything else of the operator's enters the workspace that it is about.
const LIST_WORKSPACES = hotFunction({
  name: "list_workspaces",
  writes: false,
  returns: "id uuid, name text, status text, created_at timestamptz, updated_at timestamptz",
  body: `
    return query
      select w.workspace_id, w.name, w.status, w.created_at, w.updated_at
      from json_to_recordset(rows) as p(before uuid, most int), lateral (
        select * from workspace where p.before is null or workspace_id < p.before order by workspace_id desc limit p.most) w;`,
});

/** Newest first. Runs in the caller's transaction: a second connection for each would let a crowd of them block itself. */
export const selectWorkspaces = (sql: Sql, { before, fetch }: PageRequest, now: number): Promise<WorkspaceRow[]> =>
  sql.query(`select * from ${LIST_WORKSPACES.installed}($1, $2, null, false)`, [
    JSON.stringify([{ before, most: fetch }]),
    new Date(now),
  ]);

export const WORKSPACE_FUNCTIONS: readonly HotFunction[] = [LIST_WORKSPACES];
