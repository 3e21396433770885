import type { Sql } from "../../db/database.ts";
import type { ProviderAccount } from "../../provider/provider.ts";

/** What the provider says of an account; `portfolioId` null, `timeZone` undefined: not said, and what is known stays. */
type ProviderFacts = Pick<ProviderAccount, "name" | "portfolioId" | "timeZone">;

/**
 * The provider took the token: it is the account's from now on, and one that still waited is older than it. A restriction stays, with
 * the provider's text `blocked` if there is one: whether it is over is another question.
 */
export async function updateAccountRowConnected(
  sql: Sql,
  workspaceId: string,
  id: string,
  facts: ProviderFacts & { token: Buffer; blocked: string | null; now: Date },
): Promise<void> {
  await sql.run(
    `update business_account set
       status = case when status = 'restricted' then status else 'connected' end,
       status_reason = case when status = 'restricted' then coalesce($7, status_reason) end, access_token = $3, pending_token = null, token_since = $6,
       name = $4, portfolio_id = coalesce($5, portfolio_id), time_zone = case when $8 then $9 else time_zone end, imported_at = coalesce(imported_at, $6), updated_at = $6
     where workspace_id = $1 and id = $2`,
    [
      workspaceId,
      id,
      facts.token,
      facts.name,
      facts.portfolioId,
      facts.now,
      facts.blocked,
      facts.timeZone !== undefined,
      facts.timeZone ?? null,
    ],
  );
}

/** Stores what the provider says of a connected account. `updated_at` stays: it is that of status and token. */
export async function updateAccountRowFacts(
  sql: Sql,
  workspaceId: string,
  id: string,
  facts: ProviderFacts,
): Promise<void> {
  await sql.run(
    `update business_account set name = $3, portfolio_id = coalesce($4, portfolio_id), time_zone = case when $5 then $6 else time_zone end
     where workspace_id = $1 and id = $2
       and (name, portfolio_id, time_zone) is distinct from ($3, coalesce($4, portfolio_id), case when $5 then $6 else time_zone end)`,
    [workspaceId, id, facts.name, facts.portfolioId, facts.timeZone !== undefined, facts.timeZone ?? null],
  );
}
