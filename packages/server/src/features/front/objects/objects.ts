import type { Ctx } from "../../../ctx.ts";
import { mayUseNumber } from "../../../http/caller.ts";
import { notFound } from "../../../http/problem.ts";
import type { Sender, Senders } from "../../accounts/numbers/senders.ts";
import { selectObjectRow } from "./object.store.ts";

/** The provider's ids of objects are digits, in paths and in answers. */
const DIGITS = /^\d{1,40}$/;

/** The number of a path, of those that the key may use. What is another workspace's is like unknown. */
export async function numberOfPath(ctx: Ctx, senders: Senders, providerId: string): Promise<Sender> {
  const found = (await senders.ofWorkspace(ctx.workspaceId)).find((one) => one.providerPhoneNumberId === providerId);
  if (found === undefined || !mayUseNumber(ctx.actor, found.phoneNumberId)) throw notFound();
  return found;
}

/** The one number that a key is limited to, for paths without one; 404 for a key of several. */
export async function numberOfKey(ctx: Ctx, senders: Senders): Promise<Sender> {
  const all = await senders.ofWorkspace(ctx.workspaceId);
  const usable = all.filter(({ phoneNumberId }) => mayUseNumber(ctx.actor, phoneNumberId));
  const [only] = usable;
  if (only === undefined || usable.length > 1) throw notFound();
  return only;
}

/** `id` is our uuid. */
export type FoundObject =
  | { kind: "number" | "account" | "template"; id: string; accountId: string; providerId: string }
  | { kind: "media"; id: string };

/** What a provider's id is of; null for none of the workspace, and for a number that the key may not use. */
export async function findObject(
  ctx: Ctx,
  providerId: string,
): Promise<Exclude<FoundObject, { kind: "media" }> | null> {
  const { workspaceId } = ctx;
  const found = DIGITS.test(providerId)
    ? await ctx.db.read(workspaceId, (sql) => selectObjectRow(sql, workspaceId, providerId))
    : null;
  if (found === null || (found.kind === "number" && !mayUseNumber(ctx.actor, found.id))) return null;
  return { kind: found.kind, id: found.id, accountId: found.business_account_id, providerId };
}

/** The account of a path; 404 for none of the workspace. */
export async function accountOfPath(ctx: Ctx, providerId: string): Promise<{ id: string; providerId: string }> {
  const found = await findObject(ctx, providerId);
  if (found?.kind !== "account") throw notFound();
  return { id: found.id, providerId };
}
