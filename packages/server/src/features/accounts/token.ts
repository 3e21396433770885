import type { App } from "../../ctx.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { AccountAccess } from "../../provider/provider.ts";
import { selectSecretAccountRow } from "./store.ts";

/** Binds a sealed token to its account: a copy in another row does not open. */
const contextOf = (workspaceId: string, accountId: string): string => `token:${workspaceId}:${accountId}`;

export const sealToken = (secrets: Secrets, workspaceId: string, accountId: string, token: string): Buffer =>
  secrets.seal(token, contextOf(workspaceId, accountId));

/** The text of an account's sealed token; null when there is none, or when no key of WAYPOST_ENCRYPTION_KEY opens it. */
export function openToken(
  secrets: Secrets,
  workspaceId: string,
  accountId: string,
  sealed: Buffer | null,
): string | null {
  if (sealed === null) return null;
  try {
    return secrets.open(sealed, contextOf(workspaceId, accountId)).toString();
  } catch {
    return null;
  }
}

/** Reads the account's token; null when the account is not connected or the token does not open. */
export async function readToken(app: App, workspaceId: string, accountId: string): Promise<string | null> {
  return (await readAccess(app, workspaceId, accountId))?.accessToken ?? null;
}

/** The same with the provider's id of the account. */
export async function readAccess(
  app: Pick<App, "db" | "secrets" | "log">,
  workspaceId: string,
  accountId: string,
): Promise<AccountAccess | null> {
  const account = await app.db.read(workspaceId, (sql) => selectSecretAccountRow(sql, workspaceId, accountId));
  if (!account?.access_token || account.status === "connecting" || account.status === "disconnected") return null;
  const accessToken = openToken(app.secrets, workspaceId, accountId, account.access_token);
  if (accessToken !== null) return { accessToken, providerAccountId: account.provider_account_id };
  app.log.error({ workspace_id: workspaceId, business_account_id: accountId }, "the account's token does not open");
  return null;
}
