import type { Sql } from "../../db/database.ts";
import { SHOWN_OF_CONTACT } from "../identity/identifiers.sql.ts";
import type { ContactRow } from "./render.ts";

/** A window by the last inbound message that opened it. */
type WindowRow = { phone_number_id: string; last_inbound_at: string };
export type ContactWithWindows = ContactRow & { windows: WindowRow[] | null; revision: number };

const COLUMNS = `${SHOWN_OF_CONTACT}, c.revision, (
    select json_agg(json_build_object('phone_number_id', v.phone_number_id, 'last_inbound_at', v.last_inbound_at)
      order by v.last_inbound_at desc)
    from conversation v
    where v.workspace_id = c.workspace_id and v.contact_id = c.id and v.last_inbound_at is not null) as windows`;

/** The contact that an id stands for: of a merged record the surviving one. */
export async function selectContactRow(sql: Sql, workspaceId: string, id: string): Promise<ContactWithWindows | null> {
  const rows = await sql.query<ContactWithWindows>(
    `select ${COLUMNS} from contact c
     where c.workspace_id = $1
       and c.id = (select coalesce(o.merged_into, o.id) from contact o where o.workspace_id = $1 and o.id = $2)`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

export const selectContactRowsById = (
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<ContactWithWindows[]> =>
  sql.query<ContactWithWindows>(
    `select ${COLUMNS} from contact c where c.workspace_id = $1 and c.id = any($2::uuid[]) and c.merged_into is null`,
    [workspaceId, [...ids]],
  );

/** Locks the contact that an id stands for, so that its revision stays as it is until the commit. */
export async function lockContactRow(sql: Sql, workspaceId: string, id: string): Promise<{ revision: number } | null> {
  const rows = await sql.query<{ revision: number }>(
    `select c.revision from contact c
     where c.workspace_id = $1
       and c.id = (select coalesce(o.merged_into, o.id) from contact o where o.workspace_id = $1 and o.id = $2)
     for no key update`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

type LockedRow = { id: string; revision: number };

/**
 * Locks the contacts that ids stand for, in the order of their uuids, so that neither can be merged or erased until the commit. By
 * the id asked for; one that is not known is left out.
 */
export async function lockContactRows(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, LockedRow>> {
  for (;;) {
    const found = await sql.query<{ asked: string; id: string }>(
      "select c.id as asked, coalesce(c.merged_into, c.id) as id from contact c where c.workspace_id = $1 and c.id = any($2::uuid[])",
      [workspaceId, [...ids]],
    );
    const rows = await sql.query<LockedRow & { merged_into: string | null }>(
      `select c.id, c.revision, c.merged_into from contact c
       where c.workspace_id = $1 and c.id = any($2::uuid[]) order by c.id for update`,
      [workspaceId, found.map(({ id }) => id)],
    );
    const locked = new Map(rows.filter(({ merged_into }) => merged_into === null).map((row) => [row.id, row]));
    // Another request merged or erased one of them first.
    if (found.some(({ id }) => !locked.has(id))) continue;
    return new Map(
      found.flatMap(({ asked, id }): [string, LockedRow][] => {
        const row = locked.get(id);
        return row ? [[asked, row]] : [];
      }),
    );
  }
}

/** Locks all records of the person whom an id names; null: there is none. Its surviving record, which no merge can change now. */
export async function lockPersonRow(sql: Sql, workspaceId: string, id: string): Promise<LockedRow | null> {
  for (;;) {
    const [found] = await sql.query<{ id: string }>(
      "select coalesce(c.merged_into, c.id) as id from contact c where c.workspace_id = $1 and c.id = $2",
      [workspaceId, id],
    );
    if (!found) return null;
    const rows = await sql.query<LockedRow & { merged_into: string | null }>(
      `select c.id, c.revision, c.merged_into from contact c
       where c.workspace_id = $1 and c.id = any(array(
         select $2::uuid union all select o.id from contact o where o.workspace_id = $1 and o.merged_into = $2))
       order by c.id for update`,
      [workspaceId, found.id],
    );
    const survivor = rows.find((row) => row.id === found.id && row.merged_into === null);
    if (survivor) return survivor;
  }
}
