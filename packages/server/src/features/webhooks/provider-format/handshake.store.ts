import type { Sql } from "../../../db/database.ts";

/** Notes a handshake of the workspace at `now` (milliseconds); false, and nothing is noted, after `most` since `since`. */
export async function noteHandshake(
  sql: Sql,
  workspaceId: string,
  { now, since, most }: Record<"now" | "since" | "most", number>,
): Promise<boolean> {
  const changed = await sql.run(
    `update workspace w set endpoint_handshakes = array(select t from unnest(w.endpoint_handshakes) t where t > $2) || $3::timestamptz
     where w.workspace_id = $1
       and (select count(*) from unnest(w.endpoint_handshakes) t where t > $2) < $4`,
    [workspaceId, new Date(since), new Date(now), most],
  );
  return changed === 1;
}

/** What a handshake of an endpoint needs. */
export type AskedEndpoint = {
  url: string;
  verify_token: Uint8Array | null;
  sealed_headers: Uint8Array | null;
  phone_number_ids: string[] | null;
  business_account_ids: string[] | null;
};

export async function selectAskedEndpoint(sql: Sql, workspaceId: string, id: string): Promise<AskedEndpoint | null> {
  const rows = await sql.query<AskedEndpoint>(
    `select url, verify_token, sealed_headers, phone_number_ids, business_account_ids from webhook_endpoint
     where workspace_id = $1 and id = $2 and fields is not null`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}
