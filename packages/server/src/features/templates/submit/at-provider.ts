import type { App, Ctx } from "../../../ctx.ts";
import { Problem } from "../../../http/problem.ts";
import { isOfAccount } from "../../../provider/error-table.ts";
import type { AccountAccess, CallResult, ProviderError, ProviderTemplate } from "../../../provider/provider.ts";
import { reportTrouble } from "../../accounts/account-failures.ts";
import { providerProblem } from "../../accounts/provider-problem.ts";
import { readAccess } from "../../accounts/token.ts";
import { type Intent, releaseIntent } from "./intent.ts";

/** How long a request waits for the provider to do something, and then for it to say what it has. */
export const CHANGE_WITHIN_MS = 12_000;
const READ_WITHIN_MS = 6_000;

/** The account's token; 422 without one. */
export async function requireAccess(app: App, workspaceId: string, accountId: string): Promise<AccountAccess> {
  const access = await readAccess(app, workspaceId, accountId);
  if (access === null)
    throw new Problem("sender_unavailable", "The business account is not connected. Connect it again.");
  return access;
}

/** Runs a call with a signal that ends it in time. A client that has gone does not end it: what was begun is seen to its end. */
export async function withinTime<T>(ctx: Ctx, ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const cancel = ctx.clock.after(ms, () => late.abort());
  return await call(late.signal).finally(cancel);
}

/** The template of this name and language as the provider has it, null when it has none. */
export async function readByName(
  ctx: Ctx,
  access: AccountAccess,
  { name, language }: { name: string; language: string },
): Promise<CallResult<ProviderTemplate | null>> {
  const answer = await withinTime(ctx, READ_WITHIN_MS, (signal) =>
    ctx.provider.listTemplates({ ...access, name, signal }),
  );
  if (!answer.ok) return answer;
  return { ok: true, value: answer.value.find((one) => one.name === name && one.language === language) ?? null };
}

export const readById = (
  ctx: Ctx,
  access: AccountAccess,
  providerTemplateId: string,
): Promise<CallResult<ProviderTemplate>> =>
  withinTime(ctx, READ_WITHIN_MS, (signal) => ctx.provider.getTemplate({ ...access, providerTemplateId, signal }));

/**
 * The answer to a request of which nothing was done at the provider, by `providerProblem`; an error that is about the account is looked
 * into. `failed`: public text, such as "The template was not submitted".
 */
export async function refusedProblem(
  app: App,
  account: { workspaceId: string; businessAccountId: string },
  error: ProviderError,
  failed: string,
): Promise<Problem> {
  if (isOfAccount(error.class)) await reportTrouble(app, account.workspaceId, account.businessAccountId, error);
  return providerProblem(error, failed);
}

/** The outcome is not known and the request has no more time: the next request and the task settle it. */
export async function unsettled(ctx: Ctx, intent: Intent, whatIsSeen: string): Promise<Problem> {
  await releaseIntent(ctx, intent);
  return new Problem(
    "provider_unavailable",
    `The provider's answer was lost, and whether it has done this is being settled: ${whatIsSeen}. Repeating the request is safe.`,
  );
}
