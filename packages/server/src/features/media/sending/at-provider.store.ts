import type { Sql } from "../../../db/database.ts";
import type { ProviderError } from "../../../provider/provider.ts";

/** A media for a number that sends it. */
export type Place = { mediaId: string; phoneNumberId: string };

export type AtProviderRow = {
  provider_media_id: string | null;
  expires_at: Date | null;
  /** Until then another process uploads it, or none tries again. */
  lease_until: Date | null;
  attempts: number;
  /** What the provider said of the file when it refused it. */
  error: ProviderError | null;
};
const COLUMNS = "provider_media_id, expires_at, lease_until, attempts, error";

/** Takes the right to upload until `until`; null where another has it, or where it is too early to try again. */
export async function leaseUploadRow(
  sql: Sql,
  workspaceId: string,
  { mediaId, phoneNumberId }: Place,
  { now, until }: { now: Date; until: Date },
): Promise<AtProviderRow | null> {
  const rows = await sql.query<AtProviderRow>(
    `insert into media_at_provider as p (workspace_id, media_id, phone_number_id, lease_until)
     select $1, f.id, $3, $5 from media f where f.workspace_id = $1 and f.id = $2
     on conflict (workspace_id, media_id, phone_number_id) do update set lease_until = excluded.lease_until
     where p.lease_until is null or p.lease_until <= $4
     returning ${COLUMNS}`,
    [workspaceId, mediaId, phoneNumberId, now, until],
  );
  return rows[0] ?? null;
}

export async function selectAtProviderRow(
  sql: Sql,
  workspaceId: string,
  { mediaId, phoneNumberId }: Place,
): Promise<AtProviderRow | null> {
  const rows = await sql.query<AtProviderRow>(
    `select ${COLUMNS} from media_at_provider where workspace_id = $1 and media_id = $2 and phone_number_id = $3`,
    [workspaceId, mediaId, phoneNumberId],
  );
  return rows[0] ?? null;
}

/** How an upload ended: with an id, or without one until it may be tried again; with the `error` of a file that was refused. */
export type UploadEnd =
  | { providerMediaId: string; uploadedAt: Date; expiresAt: Date }
  | { error: ProviderError | null; again: Date; failed: boolean };

/** Stores the end of an upload, and gives the lease back. False: the media is gone. */
export async function updateUploadedRow(
  sql: Sql,
  workspaceId: string,
  { mediaId, phoneNumberId }: Place,
  end: UploadEnd,
): Promise<boolean> {
  const key = [workspaceId, mediaId, phoneNumberId];
  const where = "workspace_id = $1 and media_id = $2 and phone_number_id = $3";
  const changed =
    "again" in end
      ? await sql.run(
          `update media_at_provider set lease_until = $4, error = $5, attempts = least(attempts + $6, 1000) where ${where}`,
          [...key, end.again, end.error === null ? null : JSON.stringify(end.error), end.failed ? 1 : 0],
        )
      : await sql.run(
          `update media_at_provider set provider_media_id = $4, uploaded_at = $5, expires_at = $6, lease_until = null, error = null,
             attempts = 0
           where ${where}`,
          [...key, end.providerMediaId, end.uploadedAt, end.expiresAt],
        );
  return changed > 0;
}

/** Forgets whatever ids of these media were not uploaded after `before`. */
export async function forgetAllProviderIdRows(
  sql: Sql,
  workspaceId: string,
  { mediaIds, phoneNumberId, before }: { mediaIds: readonly string[]; phoneNumberId: string; before: Date },
): Promise<void> {
  await sql.run(
    `update media_at_provider set provider_media_id = null, uploaded_at = null, expires_at = null
     where workspace_id = $1 and media_id = any($2) and phone_number_id = $3 and uploaded_at < $4`,
    [workspaceId, mediaIds, phoneNumberId, before],
  );
}

/**
 * Forgets ids that the provider does not know any more, of those that were used: unless they were uploaded after `before`. Returns how many
 * of the media have another id than the used one by now, or none.
 */
export async function forgetProviderIdRows(
  sql: Sql,
  workspaceId: string,
  { used, phoneNumberId, before }: { used: Readonly<Record<string, string>>; phoneNumberId: string; before: Date },
): Promise<number> {
  const [ids, values] = [Object.keys(used), Object.values(used)];
  await sql.run(
    `update media_at_provider p set provider_media_id = null, uploaded_at = null, expires_at = null
     from unnest($2::uuid[], $3::text[]) u(id, provider_media_id)
     where p.workspace_id = $1 and p.media_id = u.id and p.phone_number_id = $4 and p.provider_media_id = u.provider_media_id
       and p.uploaded_at < $5`,
    [workspaceId, ids, values, phoneNumberId, before],
  );
  const rows = await sql.query<{ others: number }>(
    `select count(*)::int as others from unnest($2::uuid[], $3::text[]) u(id, provider_media_id)
     left join media_at_provider p on p.workspace_id = $1 and p.media_id = u.id and p.phone_number_id = $4
     where p.provider_media_id is distinct from u.provider_media_id`,
    [workspaceId, ids, values, phoneNumberId],
  );
  return rows[0]?.others ?? 0;
}
