import type { App } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import { newUuid } from "../../../lib/ids.ts";
import { isOfAccount } from "../../../provider/error-table.ts";
import type {
  AccountAccess,
  CallResult,
  ProviderAccount,
  ProviderError,
  ProviderPhoneNumber,
  ProviderTemplate,
} from "../../../provider/provider.ts";
import { slotsOfMask } from "../../events/event.sql.ts";
import { addUserIdsOfPortfolio } from "../../identity/find-contact.ts";
import { restrict } from "../account-failures.ts";
import { updateAccountRowConnected } from "../facts.store.ts";
import { takeLimit } from "../limit.ts";
import { reportChanges, selectKnownNumbers } from "../numbers/changes.store.ts";
import { updateOtherNumberRowsRetired, upsertNumberRow } from "../numbers/number.store.ts";
import { updateNumberRowsUnpaused } from "../numbers/pause.store.ts";
import type { AccountParts } from "../parts.ts";
import { claimAll, restrictIn } from "../routing.store.ts";
import type { SecretAccountRow } from "../store.ts";

/** Everything that is imported of an account. */
export type ProviderSnapshot = {
  account: ProviderAccount;
  numbers: ProviderPhoneNumber[];
  templates: ProviderTemplate[];
};

/** Verifies the token by reading the account, then reads the rest and subscribes to its callbacks. Stops at the first error. */
export async function fetchAccount(
  { provider }: Pick<App, "provider">,
  access: AccountAccess,
): Promise<CallResult<ProviderSnapshot>> {
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

/** The provider has refused, and asking again with the same token would change nothing. Silence and 5xx are no refusals. */
export const isRefusal = (error: ProviderError): boolean =>
  (isOfAccount(error.class) || error.class === "permanent") && (error.httpStatus ?? 0) < 500;

export type Taken = {
  account: Pick<SecretAccountRow, "id" | "imported_at" | "portfolio_id" | "updated_at">;
  /** Sealed: the one that `found` was read with. */
  token: Buffer;
  found: ProviderSnapshot;
  /** Milliseconds: before the provider was asked. */
  readAt: number;
  now: number;
};

/**
 * Stores a verified account with its numbers, templates, routes and token, under `lockNumbers` and the account's lock. Returns
 * the slots of `deliver` to hint after the commit. Throws `OwnedElsewhere`.
 */
export async function takeAccount(
  sql: Sql,
  workspaceId: string,
  taken: Taken,
  { takeTemplates }: AccountParts,
): Promise<number[]> {
  const { account, found, readAt, now } = taken;
  const { providerAccountId } = found.account;
  const businessAccountId = account.id;
  const isNew = account.imported_at === null;
  await importNumbers(sql, workspaceId, { accountId: account.id, providerAccountId, numbers: found.numbers, now });
  const { templates } = found;
  const slots = await takeTemplates(sql, workspaceId, { businessAccountId, templates, first: isNew, readAt, now });
  await updateNumberRowsUnpaused(sql, workspaceId, account.id);
  const slotsMask = await connectRow(sql, workspaceId, taken);
  const hasMoved = await takePortfolio(sql, workspaceId, account, found.account);
  await takeLimit(sql, workspaceId, { businessAccountId, isNew, hasMoved, limits: limitsOf(found.numbers), now });
  return [...slots, ...slotsOfMask(slotsMask)];
}

/** Connects the account, restricted or not as the provider says, with an event where that changes. The slots to hint. */
async function connectRow(
  sql: Sql,
  workspaceId: string,
  { account: { id, updated_at: updatedAt }, token, found, readAt, now }: Taken,
): Promise<string | null> {
  const { name, portfolioId, timeZone, blocked } = found.account;
  await updateAccountRowConnected(sql, workspaceId, id, {
    token,
    name,
    portfolioId,
    timeZone,
    blocked,
    now: new Date(now),
  });
  if (blocked !== null) return await restrict(sql, workspaceId, id, { reason: blocked, now });
  // A restriction that began while the provider was asked is newer than its answer.
  if (updatedAt.getTime() > readAt) return null;
  const lifted = { workspace_id: workspaceId, id, restricted: false, reason: null, provider_event: null };
  return await restrictIn(sql, lifted, now);
}

/**
 * Learns the portfolio that the provider says; `before` is the account as it was. True: the people whom the account has written to were
 * counted elsewhere, in another portfolio or, while none was known, by itself.
 */
export async function takePortfolio(
  sql: Sql,
  workspaceId: string,
  before: Pick<SecretAccountRow, "imported_at" | "portfolio_id">,
  { providerAccountId, portfolioId }: ProviderAccount,
): Promise<boolean> {
  if (portfolioId === null) return false;
  const isSame = before.portfolio_id === portfolioId;
  // What was heard before any portfolio was known is of the first one.
  if (isSame || before.portfolio_id === null)
    await addUserIdsOfPortfolio(sql, workspaceId, { providerAccountId, portfolioId });
  return before.imported_at !== null && !isSame;
}

export const limitsOf = (numbers: readonly ProviderPhoneNumber[]) => numbers.map((number) => number.messagingLimit);

/** Public texts of two refusals of ours. The second does not say which workspace it is. */
export const ANOTHER_ACCOUNT = "The provider answered with another account.";
export const OWNED_ELSEWHERE =
  "The account or one of its phone numbers is connected in another workspace; disconnect it there first.";

/** Another workspace has the account or one of its numbers; the transaction must be rolled back. */
export class OwnedElsewhere extends Error {
  override readonly name = "OwnedElsewhere";
  /** Which of them, by the provider's ids. */
  readonly providerIds: readonly string[];

  constructor(providerIds: readonly string[]) {
    super("owned by another workspace");
    this.providerIds = providerIds;
  }
}

export type NumbersImport = {
  accountId: string;
  providerAccountId: string;
  numbers: readonly ProviderPhoneNumber[];
  now: number;
};

/** Brings the account's numbers to the provider's state, reports what is new of known ones, and takes their routes, under `lockNumbers`. Throws `OwnedElsewhere`. */
export async function importNumbers(sql: Sql, workspaceId: string, input: NumbersImport): Promise<void> {
  const { accountId, now } = input;
  const at = new Date(now);
  const routes: { kind: "account" | "number"; provider_id: string; id: string }[] = [
    { kind: "account", provider_id: input.providerAccountId, id: accountId },
  ];
  const providerIds = input.numbers.map(({ providerPhoneNumberId }) => providerPhoneNumberId);
  const known = await selectKnownNumbers(sql, workspaceId, providerIds);
  for (const number of input.numbers) {
    const id = await upsertNumberRow(sql, workspaceId, { id: newUuid(now), accountId, number, now: at });
    routes.push({ kind: "number", provider_id: number.providerPhoneNumberId, id });
  }
  const keep = routes.slice(1).map(({ id }) => id);
  const retired = await updateOtherNumberRowsRetired(sql, workspaceId, accountId, { keep, now: at });
  const foreign = await claimAll(sql, workspaceId, routes, now);
  if (foreign.length > 0) throw new OwnedElsewhere(foreign);
  await reportChanges(sql, workspaceId, { known, numbers: input.numbers, retired, now });
}
