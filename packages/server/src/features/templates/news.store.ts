import type { Sql } from "../../db/database.ts";

export type NewsRow = {
  digest: Buffer;
  providerTemplateId: string;
  kind: string;
  previous: string | null;
  current: string;
  reason: string | null;
  detail: object | null;
  effectiveAt: Date | null;
  at: Date | null;
  now: Date;
};

/** Keeps what a callback says of a template until it is an event. */
export async function insertNewsRow(sql: Sql, workspaceId: string, row: NewsRow): Promise<void> {
  await sql.run(
    `insert into provider_notice (workspace_id, digest, created_at, at, provider_template_id, kind, previous, current, reason,
       detail, effective_at, event_due)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $3) on conflict (workspace_id, digest) do nothing`,
    [
      workspaceId,
      row.digest,
      row.now,
      row.at,
      row.providerTemplateId,
      row.kind,
      row.previous,
      row.current,
      row.reason,
      row.detail === null ? null : JSON.stringify(row.detail),
      row.effectiveAt,
    ],
  );
}

/** When the provider first reported the latest status of a template that the last read did not show; null: it was shown. */
export async function selectUnseenStatusAt(
  sql: Sql,
  workspaceId: string,
  providerTemplateId: string,
): Promise<Date | null> {
  const rows = await sql.query<{ created_at: Date; seen: boolean }>(
    `select n.created_at, n.kind = t.status or n.kind in ('flagged', 'locked') as seen
     from provider_notice n
     join template t on t.workspace_id = n.workspace_id and t.provider_template_id = n.provider_template_id
     where n.workspace_id = $1 and n.provider_template_id = $2 and n.provider_template_id is not null
       and not n.found and n.kind = n.current
     order by coalesce(n.at, n.created_at) desc limit 1`,
    [workspaceId, providerTemplateId],
  );
  const [latest] = rows;
  return latest === undefined || latest.seen ? null : latest.created_at;
}

/** Of a template that is not known here and no longer at the provider, nothing becomes an event. Answers how much there was. */
export async function updateNewsRowsDropped(
  sql: Sql,
  workspaceId: string,
  providerTemplateId: string,
): Promise<number> {
  return await sql.run(
    `update provider_notice set event_due = null
     where workspace_id = $1 and provider_template_id = $2 and provider_template_id is not null and event_due is not null`,
    [workspaceId, providerTemplateId],
  );
}
