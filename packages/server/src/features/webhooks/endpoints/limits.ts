import type { Actor, TxCtx } from "../../../ctx.ts";
import { uuidOfBody } from "../../../http/ids.ts";
import { Problem, referenceNotFound } from "../../../http/problem.ts";
import { type EndpointUpdate, selectNumberAndAccountIds } from "./endpoint.store.ts";

type Limits = Pick<EndpointUpdate, "phone_number_ids" | "business_account_ids" | "is_limited" | "front_of">;
/** As a body gives them: public ids, null for none, undefined for no change. */
type Given = Partial<Record<"phone_number_ids" | "business_account_ids", readonly string[] | null | undefined>>;

/** The limits of an endpoint after a request. 409 for one that was set up for an account or a number; 422 for a number or an account that the workspace does not have, or the caller may not see. */
export async function changedLimits(
  { sql, workspaceId, actor }: TxCtx,
  before: Omit<Limits, "is_limited">,
  given: Given,
): Promise<Omit<Limits, "front_of">> {
  if (before.front_of !== null && (given.phone_number_ids !== undefined || given.business_account_ids !== undefined))
    throw new Problem(
      "conflict",
      "This endpoint was set up through the Cloud API for one account or number, which cannot be changed here: delete it, or set up another.",
    );
  const numbers = uuidsOf("num", "/phone_number_ids", given.phone_number_ids);
  const accounts = uuidsOf("acc", "/business_account_ids", given.business_account_ids);
  const { phoneNumberIds: own } = actor;
  if (own !== null && numbers) requireKnown(new Set(own), "/phone_number_ids", numbers);
  if (numbers || accounts) {
    const known = await selectNumberAndAccountIds(sql, workspaceId, numbers ?? [], accounts ?? []);
    requireKnown(known, "/phone_number_ids", numbers);
    requireKnown(known, "/business_account_ids", accounts);
  }
  const after = {
    phone_number_ids: numbers === undefined ? before.phone_number_ids : numbers,
    business_account_ids: accounts === undefined ? before.business_account_ids : accounts,
  };
  if (!isWithin(actor, after))
    throw new Problem(
      "forbidden",
      "This API key is limited to phone numbers, so its endpoints are: give some of its own as phone_number_ids, and no business_account_ids.",
    );
  return { ...after, is_limited: after.phone_number_ids !== null || after.business_account_ids !== null };
}

/** Whether the actor may see everything that an endpoint gets, and so the endpoint. */
export const isWithin = (
  { phoneNumberIds: own }: Pick<Actor, "phoneNumberIds">,
  {
    phone_number_ids: numbers,
    business_account_ids: accounts,
  }: Pick<Limits, "phone_number_ids" | "business_account_ids">,
): boolean => own === null || (accounts === null && numbers !== null && numbers.every((id) => own.includes(id)));

function uuidsOf(
  prefix: "num" | "acc",
  pointer: string,
  ids: readonly string[] | null | undefined,
): string[] | null | undefined {
  return ids?.map((id, n) => uuidOfBody(prefix, id, `${pointer}/${n}`)) ?? (ids === null ? null : undefined);
}

function requireKnown(known: ReadonlySet<string>, pointer: string, ids: readonly string[] | null | undefined): void {
  const unknown = ids?.findIndex((id) => !known.has(id)) ?? -1;
  if (unknown !== -1) throw referenceNotFound(`${pointer}/${unknown}`);
}
