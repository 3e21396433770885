import type { Ctx, TxCtx } from "../../../ctx.ts";
import { mayUseNumber } from "../../../http/caller.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { isOfAccount } from "../../../provider/error-table.ts";
import type { NumberAccess, ProfileChange, ProviderProfile } from "../../../provider/profile-calls.ts";
import type { CallResult } from "../../../provider/provider.ts";
import { changesOf } from "../../audit/fields.ts";
import { providerProblem } from "../provider-problem.ts";
import { readAccess } from "../token.ts";
import { type NumberRow, selectNumberRow } from "./number.store.ts";
import type { BusinessProfile, BusinessProfileChange } from "./profile-schema.ts";
import type { Senders } from "./senders.ts";

/** A person waits for it; each call takes the provider some tenths of a second. */
const PROVIDER_WITHIN_MS = 8_000;

/** The profile as the provider has it now; it is not kept here, because people change it in the app too. */
export async function getProfile(ctx: Ctx, { params }: ById, senders: Senders): Promise<Answer<BusinessProfile>> {
  const failed = "The provider did not return the business profile";
  const profile = await withNumber(ctx, { id: params.id, failed }, senders, (number) =>
    ctx.provider.getProfile(number),
  );
  // Nothing was changed, and no transaction has written the audit row.
  return { ...profileAnswer(params.id, profile), unaudited: true };
}

export type ProfileUpdate = { before: ProviderProfile; after: ProviderProfile };

/**
 * Changes the profile at the provider, ahead of the transaction that records it. Of a call without an answer it is not known
 * whether it was done: repeating it is safe.
 */
export async function changeProfile(
  ctx: Ctx,
  { params, body }: ById & { body: BusinessProfileChange },
  senders: Senders,
): Promise<ProfileUpdate> {
  const change = changeOf(body);
  const failed = "The provider did not confirm the change of the business profile, which may be repeated";
  const asked = { id: params.id, failed };
  return await withNumber(ctx, asked, senders, async (number): Promise<CallResult<ProfileUpdate>> => {
    const before = await ctx.provider.getProfile(number);
    if (!before.ok) return before;
    if (Object.keys(change).length === 0) return { ok: true, value: { before: before.value, after: before.value } };
    const updated = await ctx.provider.updateProfile({ ...number, change });
    if (!updated.ok) return updated;
    // Read again: the provider writes texts in its own way, and gives a new picture its address.
    const after = await ctx.provider.getProfile(number);
    return { ok: true, value: { before: before.value, after: after.ok ? after.value : merged(before.value, change) } };
  });
}

/** Records the change; the profile itself is the provider's. */
export function updateProfile(
  _ctx: TxCtx,
  { params, body }: ById & { body: BusinessProfileChange },
  { before, after }: ProfileUpdate,
): Promise<Answer<BusinessProfile>> {
  const answer = profileAnswer(params.id, after);
  const { profile_picture_url: _was, ...fields } = render(params.id, before);
  const { profile_picture_url: _is, ...now } = answer.body;
  // The address of one and the same picture is another one at each read.
  const picture = body.profile_picture_handle === undefined ? {} : { profile_picture: "replaced" };
  const changes = changesOf(fields, { ...now, ...picture });
  return Promise.resolve({ ...answer, changes });
}

/** What the provider is sent: an empty value where null clears. */
function changeOf({ profile_picture_handle: handle, ...body }: BusinessProfileChange): ProfileChange {
  const { about, address, description, email, websites, vertical } = body;
  return {
    ...(about === undefined ? {} : { about }),
    ...(address === undefined ? {} : { address: address ?? "" }),
    ...(description === undefined ? {} : { description: description ?? "" }),
    ...(email === undefined ? {} : { email: email ?? "" }),
    ...(websites === undefined ? {} : { websites: websites ?? [] }),
    ...(vertical === undefined ? {} : { vertical: vertical ?? "" }),
    ...(handle === undefined ? {} : { profilePictureHandle: handle }),
  };
}

/** What the provider should have now, when it cannot be read again. */
function merged(before: ProviderProfile, change: ProfileChange): ProviderProfile {
  const textOf = (name: "about" | "address" | "description" | "email" | "vertical"): string | null =>
    change[name] === undefined ? before[name] : change[name] || null;
  return {
    about: textOf("about"),
    address: textOf("address"),
    description: textOf("description"),
    email: textOf("email"),
    websites: [...(change.websites ?? before.websites)],
    vertical: textOf("vertical"),
    profilePictureUrl: before.profilePictureUrl,
  };
}

/** Calls the provider for a number of the workspace, within the time of a request. Throws the problems of `providerProblem`. */
async function withNumber<T>(
  ctx: Ctx,
  asked: { id: string; failed: string },
  senders: Senders,
  call: (number: NumberAccess) => Promise<CallResult<T>>,
): Promise<T> {
  const { workspaceId, db, clock } = ctx;
  const id = uuidOfPath("num", asked.id);
  const row = await db.read(workspaceId, (sql) => selectNumberRow(sql, workspaceId, id));
  if (row === null || !mayUseNumber(ctx.actor, row.id)) throw notFound();
  const access = await readAccess(ctx, workspaceId, row.business_account_id);
  if (access === null) throw new Problem("sender_unavailable", "The account of this phone number is not connected.");
  const late = new AbortController();
  const cancel = clock.after(PROVIDER_WITHIN_MS, () => late.abort());
  const signal = AbortSignal.any([ctx.signal, late.signal]);
  const answer = await call({ ...access, ...numberOf(row), signal }).finally(cancel);
  if (answer.ok) return answer.value;
  // The state of the account was not read before: what is refused is looked into.
  const account = { workspaceId, businessAccountId: row.business_account_id, accountChangedAt: 0 };
  if (isOfAccount(answer.error.class)) senders.reportAccountTrouble(account, answer.error);
  throw providerProblem(answer.error, asked.failed);
}

const numberOf = ({ provider_phone_number_id }: NumberRow) => ({ providerPhoneNumberId: provider_phone_number_id });

function profileAnswer(id: string, profile: ProviderProfile): Answer<BusinessProfile> {
  return { body: render(id, profile), resource: { type: "phone_number", id } };
}

const render = (id: string, { profilePictureUrl, ...profile }: ProviderProfile): BusinessProfile => ({
  phone_number_id: id,
  ...profile,
  profile_picture_url: profilePictureUrl,
});
