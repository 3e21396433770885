import type { House } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { newUuid } from "../../lib/ids.ts";
import type {
  AccountAccess,
  CallResult,
  ProviderAccount,
  ProviderPhoneNumber,
  ProviderTemplate,
} from "../../provider/provider.ts";
import { claimAll } from "./routing.store.ts";
import { retireOtherNumbers, upsertNumber } from "./store.ts";

/** All that is imported of an account. */
export type Found = { account: ProviderAccount; numbers: ProviderPhoneNumber[]; templates: ProviderTemplate[] };

/** Verifies the token by reading the account, then reads the rest and asks for its callbacks. The first error ends it. */
export async function fetchAccount({ provider }: House, access: AccountAccess): Promise<CallResult<Found>> {
  const account = await provider.getAccount(access);
  if (!account.ok) return account;
  const [numbers, templates, subscribed] = await Promise.all([
    provider.listPhoneNumbers(access),
    provider.listTemplates(access),
    provider.subscribe(access),
  ]);
  if (!numbers.ok) return numbers;
  if (!templates.ok) return templates;
  if (!subscribed.ok) return subscribed;
  return { ok: true, value: { account: account.value, numbers: numbers.value, templates: templates.value } };
}

/** Another workspace has the account or one of its numbers; the transaction must be rolled back. */
export class OwnedElsewhere extends Error {
  override readonly name = "OwnedElsewhere";
}

export type NumbersImport = {
  accountId: string;
  providerAccountId: string;
  numbers: readonly ProviderPhoneNumber[];
  now: number;
};

/** Brings the account's numbers to the provider's state and takes their routes, under `lockNumbers`. Throws `OwnedElsewhere`. */
export async function importNumbers(sql: Sql, workspaceId: string, input: NumbersImport): Promise<void> {
  const { accountId, now } = input;
  const at = new Date(now);
  const routes: { kind: "account" | "number"; provider_id: string; id: string }[] = [
    { kind: "account", provider_id: input.providerAccountId, id: accountId },
  ];
  for (const number of input.numbers) {
    const id = await upsertNumber(sql, workspaceId, { id: newUuid(now), accountId, number, now: at });
    routes.push({ kind: "number", provider_id: number.providerPhoneNumberId, id });
  }
  const keep = routes.slice(1).map(({ id }) => id);
  await retireOtherNumbers(sql, workspaceId, accountId, { keep, now: at });
  if (!(await claimAll(sql, workspaceId, routes, now))) throw new OwnedElsewhere("owned by another workspace");
}
