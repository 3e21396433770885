import type { App, Ctx, TxCtx } from "../../../ctx.ts";
import { uuidOfBody } from "../../../http/ids.ts";
import { referenceNotFound } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { formatId } from "../../../lib/ids.ts";
import { isOfAccount } from "../../../provider/error-table.ts";
import type { CallResult, ProviderTemplate } from "../../../provider/provider.ts";
import { reasonOf, reportTrouble } from "../../accounts/account-failures.ts";
import { accountStatuses, isOn } from "../../accounts/connected.ts";
import { RECONCILE, type ReconcilePayload } from "../../accounts/reconcile.ts";
import { readAccess } from "../../accounts/token.ts";
import { enqueueTask } from "../../tasks/task.ts";
import { importTemplates } from "../import.ts";
import { enqueueTemplateRefetch } from "../refetch.ts";
import { selectLiveTemplateRows } from "../store.ts";
import type { TemplateSync, TemplateSyncResult } from "./schema.ts";

type SyncedAccount = TemplateSyncResult["data"][number];

/** What the provider has answered about one account; `late`: not in time. */
export type Read = {
  businessAccountId: string;
  readAt: number;
  answer: CallResult<ProviderTemplate[]> | "late" | "not_connected";
};

/** A person waits; an account of 6,000 templates is 120 pages, which a task reads. */
const READ_WITHIN_MS = 10_000;
const ACCOUNTS_AT_ONCE = 4;

/** Reads all templates of one account or of all, ahead of the transaction that stores them. */
export async function readTemplates(ctx: Ctx, { body }: { body: TemplateSync }, app: App): Promise<Read[]> {
  const ids = await accountsToRead(ctx, body);
  const deadline = ctx.clock.monotonic() + READ_WITHIN_MS;
  const reads = new Map<string, Read>();
  const waiting = [...ids];
  const worker = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      reads.set(id, await readOne(ctx, app, id, deadline - ctx.clock.monotonic()));
  };
  await Promise.all(Array.from({ length: ACCOUNTS_AT_ONCE }, worker));
  return ids.flatMap((id) => reads.get(id) ?? []);
}

async function accountsToRead(ctx: Ctx, body: TemplateSync): Promise<string[]> {
  const accounts = await accountStatuses(ctx);
  if (body.business_account_id === undefined) return accounts.filter(isOn).map(({ id }) => id);
  const wanted = uuidOfBody("acc", body.business_account_id, "/business_account_id");
  if (!accounts.some(({ id }) => id === wanted)) throw referenceNotFound("/business_account_id");
  return [wanted];
}

async function readOne(ctx: Ctx, app: App, businessAccountId: string, withinMs: number): Promise<Read> {
  const { workspaceId, clock } = ctx;
  const readAt = clock.now();
  if (withinMs <= 0) return { businessAccountId, readAt, answer: "late" };
  const access = await readAccess(app, workspaceId, businessAccountId);
  if (access === null) return { businessAccountId, readAt, answer: "not_connected" };
  const late = new AbortController();
  const cancel = clock.after(withinMs, () => late.abort());
  const answer = await ctx.provider.listTemplates({ ...access, signal: late.signal }).finally(cancel);
  if (!answer.ok && late.signal.aborted) return { businessAccountId, readAt, answer: "late" };
  if (!answer.ok && isOfAccount(answer.error.class))
    await reportTrouble(app, workspaceId, businessAccountId, answer.error);
  return { businessAccountId, readAt, answer };
}

/** Stores what was read; 202 when a task goes on with an account. */
export async function syncTemplates(
  ctx: TxCtx,
  _input: { body: TemplateSync },
  reads: Read[],
): Promise<Answer<TemplateSyncResult>> {
  const data: SyncedAccount[] = [];
  for (const read of reads) data.push(await storeOne(ctx, read));
  const status = data.some((one) => one.status === "running") ? 202 : 200;
  const accounts = data.map(({ error, ...counts }) => ({ ...counts, error: error?.code ?? null }));
  return { body: { data }, status, changes: { accounts } };
}

async function storeOne(ctx: TxCtx, { businessAccountId, readAt, answer }: Read): Promise<SyncedAccount> {
  const { sql, workspaceId } = ctx;
  const now = ctx.clock.now();
  const none = {
    business_account_id: formatId("acc", businessAccountId),
    created: 0,
    updated: 0,
    deleted: 0,
    error: null,
  };
  if (answer === "not_connected") {
    const detail = "The business account is not connected. Connect it again.";
    return { ...none, status: "failed", error: { code: "sender_unavailable", detail } };
  }
  if (answer === "late") {
    const payload: ReconcilePayload = { account_id: businessAccountId };
    await enqueueTask(sql, workspaceId, {
      kind: RECONCILE,
      subject: businessAccountId,
      payload,
      now,
      accountId: businessAccountId,
      joins: true,
    });
    return { ...none, status: "running" };
  }
  if (!answer.ok) {
    const { error } = answer;
    return { ...none, status: "failed", error: { code: error.code, detail: reasonOf(error) } };
  }
  const known = await selectLiveTemplateRows(sql, workspaceId, businessAccountId);
  const imported = await importTemplates(sql, workspaceId, {
    businessAccountId,
    templates: answer.value,
    complete: true,
    first: false,
    readAt,
    now,
  });
  for (const providerTemplateId of imported.stale)
    await enqueueTemplateRefetch(sql, workspaceId, { businessAccountId, providerTemplateId, now });
  const keyOf = ({ name, language }: { name: string; language: string }): string => `${name} ${language}`;
  const knownKeys = new Set(known.map(keyOf));
  const listed = new Set(answer.value.map(keyOf));
  const created = [...listed].filter((key) => !knownKeys.has(key)).length;
  const deleted = [...knownKeys].filter((key) => !listed.has(key)).length;
  return { ...none, status: "completed", created, deleted, updated: Math.max(0, imported.changed - created - deleted) };
}
