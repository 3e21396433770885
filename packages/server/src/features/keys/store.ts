import type { DedupeBy } from "../../ctx.ts";
import type { Database, Sql } from "../../db/database.ts";
import { type AnswerOf, columns, each, hotFunction, of, recordset } from "../../db/hot-function.ts";
import type { PageRequest } from "../../http/pagination.ts";

export type KeyRow = {
  id: string;
  name: string;
  hint: string;
  scopes: string[];
  /** Uuids; null: all numbers of the workspace. */
  phone_number_ids: string[] | null;
  /** The field whose value is the idempotency key of a request without one. */
  dedupe_by: DedupeBy | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  replaced_by: string | null;
  last_used_at: Date | null;
  created_at: Date;
};

const COLUMNS =
  "id, name, hint, scopes, phone_number_ids, dedupe_by, expires_at, revoked_at, replaced_by, last_used_at, created_at";

/** Inserts a key with its entry in `key_digest`, the table that finds it. `digest` is hex. */
export async function insertKeyRow(sql: Sql, workspaceId: string, key: KeyRow, digest: string): Promise<void> {
  await sql.run(
    `with way as (insert into key_digest (digest, workspace_id, api_key_id) values (decode($3, 'hex'), $1, $2))
     insert into api_key (workspace_id, id, name, hint, scopes, digest, expires_at, created_at, phone_number_ids, dedupe_by)
     values ($1, $2, $4, $5, $6, decode($3, 'hex'), $7, $8, $9, $10)`,
    [
      workspaceId,
      key.id,
      digest,
      key.name,
      key.hint,
      key.scopes,
      key.expires_at,
      key.created_at,
      key.phone_number_ids,
      key.dedupe_by,
    ],
  );
}

/** Newest first, including ended keys. With `within`, only keys that are limited to some of these numbers. */
export const selectKeyRows = (
  sql: Sql,
  workspaceId: string,
  { before, fetch }: PageRequest,
  within: readonly string[] | null,
): Promise<KeyRow[]> =>
  sql.query(
    `select ${COLUMNS} from api_key
     where workspace_id = $1 and ($2::uuid is null or id < $2) and ($4::uuid[] is null or phone_number_ids <@ $4)
     order by id desc limit $3`,
    [workspaceId, before, fetch, within],
  );

export async function selectKeyRow(sql: Sql, workspaceId: string, id: string): Promise<KeyRow | null> {
  const [row] = await sql.query<KeyRow>(`select ${COLUMNS} from api_key where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  return row ?? null;
}

/** Locks these keys and those that they replaced; all at once and in one order, so that two callers never deadlock. */
export const lockKeyRows = (sql: Sql, workspaceId: string, ids: readonly string[]): Promise<KeyRow[]> =>
  sql.query(
    `select ${COLUMNS} from api_key where workspace_id = $1 and (id = any($2::uuid[]) or replaced_by = any($2::uuid[]))
     order by id for update`,
    [workspaceId, ids],
  );

/** Those of the numbers that the workspace has. */
export async function selectNumberIds(sql: Sql, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    "select n.id from phone_number n where n.workspace_id = $1 and n.id = any($2::uuid[])",
    [workspaceId, [...ids]],
  );
  return rows.map(({ id }) => id);
}

export async function countLiveKeyRows(sql: Sql, workspaceId: string, now: number): Promise<number> {
  const [row] = await sql.query<{ live: number }>(
    `select count(*)::int as live from api_key
     where workspace_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
    [workspaceId, new Date(now)],
  );
  return row?.live ?? 0;
}

/** True when this call revoked it; a key that was revoked before keeps its time. */
export async function updateKeyRowRevoked(sql: Sql, workspaceId: string, id: string, now: number): Promise<boolean> {
  const changed = await sql.run(
    "update api_key set revoked_at = $3 where workspace_id = $1 and id = $2 and revoked_at is null",
    [workspaceId, id, new Date(now)],
  );
  return changed > 0;
}

/** The old key ends at `end` (milliseconds), or earlier where it would have ended anyway. */
export async function updateKeyRowReplaced(
  sql: Sql,
  workspaceId: string,
  id: string,
  by: string,
  end: number,
): Promise<void> {
  await sql.run(
    "update api_key set replaced_by = $3, expires_at = least(expires_at, $4) where workspace_id = $1 and id = $2",
    [workspaceId, id, by, new Date(end)],
  );
}

/** What a digest stands for; all null when there is no such key or it has ended. */
const KEY_ANSWER = columns({
  workspace_id: "uuid?",
  key_id: "uuid",
  key_name: "text",
  scopes: "text[]",
  workspace_status: "text",
  expires_at: "timestamptz?",
  phone_number_ids: "uuid[]?",
  dedupe_by: of<DedupeBy | null>("text?"),
});
export type KeyAnswer = AnswerOf<typeof KEY_ANSWER>;

/** Reads over all workspaces: which one a key belongs to is the question. One read by each primary key. */
export const authenticateKeys = hotFunction({
  name: "authenticate_keys",
  writes: false,
  input: columns({
    /** Of the key's text, in hex. */
    digest: "text",
    /** The one by which it is found where it is limited to numbers. */
    limited_digest: "text",
  }),
  answers: KEY_ANSWER,
  declare: "given json;",
  body: `
    for given in select value from json_array_elements(rows) with ordinality order by ordinality loop
      select k.workspace_id, k.id, k.name, k.scopes, w.status, k.expires_at, k.phone_number_ids, k.dedupe_by
      into workspace_id, key_id, key_name, scopes, workspace_status, expires_at, phone_number_ids, dedupe_by
      from (
        select d.workspace_id, d.api_key_id from key_digest d
        where d.digest in (decode(given ->> 'digest', 'hex'), decode(given ->> 'limited_digest', 'hex')) offset 0) d
      ${each(
        "k",
        `
        select k.workspace_id, k.id, k.name, k.scopes, k.expires_at, k.revoked_at, k.phone_number_ids, k.dedupe_by
        from api_key k
        where k.workspace_id = d.workspace_id and k.id = d.api_key_id`,
      )}
      ${each("w", "select w.status from workspace w where w.workspace_id = d.workspace_id")}
      where k.revoked_at is null and (k.expires_at is null or k.expires_at > now);
      return next;
    end loop;`,
});

export type KeyUse = { workspaceId: string; keyId: string; at: number };

// Rows in one order, so that two processes never wait for each other in a circle; never back in time, so late ones do no harm.
const KEY_USE = columns({ workspace_id: "uuid", key_id: "uuid", at: "timestamptz" });
export const touchKeys = hotFunction({
  name: "touch_keys",
  input: KEY_USE,
  answers: columns({ touched: "int" }),
  declare: "r record;",
  body: `
    touched := 0;
    for r in select * from ${recordset(KEY_USE)} order by 1, 2 loop
      update api_key k set last_used_at = r.at
      where k.workspace_id = r.workspace_id and k.id = r.key_id and (k.last_used_at is null or k.last_used_at < r.at);
      touched := touched + 1;
    end loop;
    return next;`,
});

/** The time of their last use; a later one that is stored already stays. */
export async function updateKeyRowsUsed(db: Database, uses: readonly KeyUse[], now: number): Promise<void> {
  const rows = uses.map(({ workspaceId, keyId, at }) => ({
    workspace_id: workspaceId,
    key_id: keyId,
    at: new Date(at).toISOString(),
  }));
  await db.call(touchKeys, rows, now);
}
