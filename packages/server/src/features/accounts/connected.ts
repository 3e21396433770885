import type { Ctx } from "../../ctx.ts";
import { uuidOfBody } from "../../http/ids.ts";
import { Problem, referenceNotFound } from "../../http/problem.ts";
import { type AccountStatusRow, selectAccountStatusRows } from "./connected.store.ts";
import type { Senders } from "./numbers/senders.ts";

/** Names an account by its own id or by that of one of its numbers; without either it is that of the default number. */
export type NamedAccount = { business_account_id?: string; phone_number_id?: string };

/** Every account of the workspace with its status, oldest first. */
export const accountStatuses = ({ db, workspaceId }: Pick<Ctx, "db" | "workspaceId">): Promise<AccountStatusRow[]> =>
  db.read(workspaceId, (sql) => selectAccountStatusRows(sql, workspaceId));

/** The uuid of an account for a call of the provider. Throws 422 for one that is unknown, ambiguous or not connected. */
export async function connectedAccount(ctx: Ctx, senders: Senders, named: NamedAccount): Promise<string> {
  const accounts = await accountStatuses(ctx);
  const id = await nameToId(ctx, senders, named, accounts);
  const account = accounts.find((one) => one.id === id);
  if (!account) throw referenceNotFound("/business_account_id");
  if (!isOn(account))
    throw new Problem("sender_unavailable", `The business account is ${account.status}. Connect it again.`);
  return account.id;
}

async function nameToId(
  ctx: Ctx,
  senders: Senders,
  { business_account_id: accountId, phone_number_id: numberId }: NamedAccount,
  accounts: readonly AccountStatusRow[],
): Promise<string> {
  if (accountId !== undefined) return uuidOfBody("acc", accountId, "/business_account_id");
  const numbers = await senders.ofWorkspace(ctx.workspaceId);
  if (numberId !== undefined) {
    const uuid = uuidOfBody("num", numberId, "/phone_number_id");
    const number = numbers.find(({ phoneNumberId }) => phoneNumberId === uuid);
    if (!number) throw referenceNotFound("/phone_number_id");
    return number.businessAccountId;
  }
  const [only, ...more] = accounts.filter(isOn).map(({ id }) => id);
  const usual = numbers.find(({ isDefault }) => isDefault)?.businessAccountId ?? (more.length === 0 ? only : undefined);
  if (usual !== undefined) return usual;
  const detail =
    more.length > 0
      ? "There are several business accounts and no default phone number: name one as `business_account_id`."
      : "No business account is connected.";
  throw new Problem("sender_unavailable", detail);
}

/** The provider answers for it, and it has been imported. */
export const isOn = ({ status }: AccountStatusRow): boolean => status === "connected" || status === "restricted";
