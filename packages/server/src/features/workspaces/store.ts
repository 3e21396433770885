import { callWithin } from "../../db/call-within.ts";
import type { Sql } from "../../db/database.ts";
import { type AnswerOf, columns, hotFunction, recordset } from "../../db/hot-function.ts";
import type { PageRequest } from "../../http/pagination.ts";
import type { Keywords } from "../identity/consent/default-keywords.ts";

const WORKSPACE = columns({
  id: "uuid",
  name: "text",
  status: "text",
  created_at: "timestamptz",
  updated_at: "timestamptz",
});
export type WorkspaceRow = AnswerOf<typeof WORKSPACE>;

const COLUMNS = "workspace_id as id, name, status, created_at, updated_at";

/** Moves the running transaction into another workspace: row-level security shows that one's rows from here on. */
export async function enterWorkspace(sql: Sql, workspaceId: string): Promise<void> {
  await sql.query("select set_config('app.workspace_id', $1, true)", [workspaceId]);
}

export async function insertWorkspaceRow(sql: Sql, workspaceId: string, row: WorkspaceRow): Promise<void> {
  await sql.run(
    "insert into workspace (workspace_id, name, status, created_at, updated_at) values ($1, $2, $3, $4, $5)",
    [workspaceId, row.name, row.status, row.created_at, row.updated_at],
  );
}

export async function selectWorkspaceRow(sql: Sql, workspaceId: string): Promise<WorkspaceRow | null> {
  const [row] = await sql.query<WorkspaceRow>(`select ${COLUMNS} from workspace where workspace_id = $1`, [
    workspaceId,
  ]);
  return row ?? null;
}

export async function lockWorkspaceRow(sql: Sql, workspaceId: string): Promise<WorkspaceRow | null> {
  const [row] = await sql.query<WorkspaceRow>(
    `select ${COLUMNS} from workspace where workspace_id = $1 for no key update`,
    [workspaceId],
  );
  return row ?? null;
}

export async function updateWorkspaceRow(sql: Sql, workspaceId: string, row: WorkspaceRow): Promise<void> {
  await sql.run("update workspace set name = $2, status = $3, updated_at = $4 where workspace_id = $1", [
    workspaceId,
    row.name,
    row.status,
    row.updated_at,
  ]);
}

/** Null: the defaults. */
export type KeywordsRow = { opt_out_keywords: Keywords | null; opt_in_keywords: Keywords | null };

const KEYWORDS = "select opt_out_keywords, opt_in_keywords from workspace where workspace_id = $1";

export async function selectKeywordsRow(sql: Sql, workspaceId: string): Promise<KeywordsRow | null> {
  const [row] = await sql.query<KeywordsRow>(KEYWORDS, [workspaceId]);
  return row ?? null;
}

export async function lockKeywordsRow(sql: Sql, workspaceId: string): Promise<KeywordsRow | null> {
  const [row] = await sql.query<KeywordsRow>(`${KEYWORDS} for no key update`, [workspaceId]);
  return row ?? null;
}

/** `words`: the same as they are compared, of all languages. */
export async function updateKeywordsRow(
  sql: Sql,
  workspaceId: string,
  row: KeywordsRow,
  words: { opt_out: string[] | null; opt_in: string[] | null },
  now: Date,
): Promise<void> {
  await sql.run(
    `update workspace set opt_out_keywords = $2, opt_in_keywords = $3, opt_out_words = $4, opt_in_words = $5, updated_at = $6
     where workspace_id = $1`,
    [workspaceId, textOf(row.opt_out_keywords), textOf(row.opt_in_keywords), words.opt_out, words.opt_in, now],
  );
}

const textOf = (keywords: Keywords | null): string | null => (keywords === null ? null : JSON.stringify(keywords));

const PAGE = columns({ before: "uuid?", most: "int" });
/** The one list over all workspaces; everything else of the operator's enters the workspace that it is about. */
export const listWorkspaces = hotFunction({
  name: "list_workspaces",
  writes: false,
  input: PAGE,
  answers: WORKSPACE,
  body: `
    return query
      select w.workspace_id, w.name, w.status, w.created_at, w.updated_at
      from ${recordset(PAGE, "p")}, lateral (
        select * from workspace where p.before is null or workspace_id < p.before order by workspace_id desc limit p.most) w;`,
});

/** Newest first. Runs in the caller's transaction: a second connection for each would let a crowd of them block itself. */
export const selectWorkspaceRows = (sql: Sql, { before, fetch }: PageRequest, now: number): Promise<WorkspaceRow[]> =>
  callWithin(sql, listWorkspaces, [{ before, most: fetch }], now);
