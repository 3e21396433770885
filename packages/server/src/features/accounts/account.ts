import type { Actor, Ctx, TxCtx } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { mayUseNumber } from "../../http/caller.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { type Page, type PageQuery, page, pageRequest } from "../../http/pagination.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { changesOf } from "../audit/fields.ts";
import { hintDeliveries } from "../events/event.ts";
import { enqueueTask, hintTasks } from "../tasks/task.ts";
import type { TaskWaiters } from "../tasks/task-waiters.ts";
import { countsOf } from "./numbers/counts.ts";
import { lockNumberRows, type NumberRow, selectNumberRowsOfAccounts } from "./numbers/number.store.ts";
import type { Senders } from "./numbers/senders.ts";
import type { AccountParts } from "./parts.ts";
import { renderAccount } from "./render.ts";
import { disconnectIn } from "./routing.store.ts";
import type { BusinessAccount, BusinessAccountChange, NewBusinessAccount } from "./schema.ts";
import {
  type AccountRow,
  deleteAccountRow,
  insertOrLockAccountRow,
  lockSecretAccountRow,
  selectAccountRow,
  selectAccountRows,
  selectSecretAccountRow,
  updateAccountRowMessagingAccount,
  updateAccountRowPendingToken,
  updateAccountRowTokensErased,
} from "./store.ts";
import { CONNECT, type ConnectPayload } from "./tasks/connect-task.ts";
import { OWNED_ELSEWHERE, OwnedElsewhere, type Taken, takeAccount } from "./tasks/provider-import.ts";
import { sealToken } from "./token.ts";
import { VERIFY_WITHIN_MS, type Verified } from "./verify.ts";

/**
 * With the provider's answers (`verified`), connects the account at once, in this transaction. Without them, stores the token
 * as pending and leaves the connecting to a task; an account that is connected keeps working with its old token meanwhile.
 */
export async function connectAccount(
  ctx: TxCtx,
  { body }: { body: NewBusinessAccount },
  verified: Verified | null,
  parts: AccountParts,
): Promise<Answer<BusinessAccount>> {
  const { sql, workspaceId } = ctx;
  // Not the request's own time: asking the provider took a while, and the token is valid from now on.
  const now = ctx.clock.now();
  const taskId = newUuid(now);
  // Every import locks in this order: workspace, account, routes.
  if (verified) await lockNumberRows(sql, workspaceId);
  const fresh = { id: newUuid(now), providerAccountId: body.provider_account_id, taskId, now: new Date(now) };
  const account = await insertOrLockAccountRow(sql, workspaceId, fresh);
  const token = sealToken(ctx.secrets, workspaceId, account.id, body.access_token);
  if (verified) await takeOrRefuse(sql, workspaceId, { account, token, ...verified, now }, parts);
  else await updateAccountRowPendingToken(sql, workspaceId, account.id, { token, taskId, now: new Date(now) });
  const answer = await accountAnswer(sql, workspaceId, await requireAccount(sql, workspaceId, account.id), now);
  // Also for an account that is connected: the task replays earlier callbacks at least once, even if this process is killed here.
  const payload: ConnectPayload = { account_id: account.id };
  await enqueueTask(sql, workspaceId, { kind: CONNECT, payload, now, id: taskId });
  const changes = { provider_account_id: body.provider_account_id };
  const headers = { location: `/v1/business-accounts/${answer.body.id}` };
  return { ...answer, status: verified ? 201 : 202, headers, changes };
}

async function takeOrRefuse(sql: Sql, workspaceId: string, taken: Taken, parts: AccountParts): Promise<void> {
  try {
    await takeAccount(sql, workspaceId, taken, parts);
  } catch (error) {
    if (error instanceof OwnedElsewhere) throw new Problem("conflict", OWNED_ELSEWHERE);
    throw error;
  }
}

/** After the commit: hints the lanes; waits for an account that is not connected yet until the time is up, and answers with its state. */
export async function awaitConnection(
  ctx: Ctx,
  { taskWaiters, senders }: Omit<ConnectionDeps, "parts">,
  first: Answer<BusinessAccount>,
): Promise<Answer<BusinessAccount>> {
  const { workspaceId } = ctx;
  hintTasks(ctx.notifier, workspaceId);
  if (first.status === 201) {
    senders.forget(workspaceId);
    return await hintDeliveries(ctx, first); // of templates that the import found changed
  }
  const id = uuidOfPath("acc", first.body.id);
  const account = await ctx.db.read(workspaceId, (sql) => selectSecretAccountRow(sql, workspaceId, id));
  if (!account) return first;
  const task = await taskWaiters.wait(ctx, account.job_id, ctx.now + VERIFY_WITHIN_MS - ctx.clock.now());
  const answer = await ctx.db.read(workspaceId, async (sql) => {
    const row = await selectAccountRow(sql, workspaceId, id);
    return row ? await accountAnswer(sql, workspaceId, row, ctx.clock.now()) : first;
  });
  const done = task?.status === "done" && (answer.body.status === "connected" || answer.body.status === "restricted");
  return { ...first, body: answer.body, status: done ? 201 : 202 };
}

export type ConnectionDeps = { taskWaiters: TaskWaiters; senders: Senders; parts: AccountParts };

/** An account with the numbers that the caller may see; 404 where the caller is limited to others. */
export async function getAccount(ctx: TxCtx, { params }: ById): Promise<Answer<BusinessAccount>> {
  const { sql, workspaceId, now, actor } = ctx;
  const row = await requireAccount(sql, workspaceId, uuidOfPath("acc", params.id));
  const answer = await accountAnswer(sql, workspaceId, row, now, actor);
  if (actor.phoneNumberIds !== null && answer.body.phone_numbers.length === 0) throw notFound();
  return answer;
}

/** What a send must name of its account, and the provider does not say itself. */
export async function updateAccount(
  { sql, workspaceId, now }: TxCtx,
  { params, body }: ById & { body: BusinessAccountChange },
): Promise<Answer<BusinessAccount>> {
  const before = await lockSecretAccountRow(sql, workspaceId, uuidOfPath("acc", params.id));
  if (!before) throw notFound();
  if (body.messaging_account_id !== undefined)
    await updateAccountRowMessagingAccount(sql, workspaceId, before.id, body.messaging_account_id);
  const after = await requireAccount(sql, workspaceId, before.id);
  const fields = ({ messaging_account_id }: AccountRow) => ({ messaging_account_id });
  return { ...(await accountAnswer(sql, workspaceId, after, now)), changes: changesOf(fields(before), fields(after)) };
}

async function requireAccount(sql: Sql, workspaceId: string, id: string): Promise<AccountRow> {
  const row = await selectAccountRow(sql, workspaceId, id);
  if (!row) throw notFound();
  return row;
}

export async function listAccounts(
  ctx: TxCtx,
  { query }: { query: PageQuery },
): Promise<Answer<Page<BusinessAccount>>> {
  const request = pageRequest(query);
  const rows = await selectAccountRows(ctx.sql, ctx.workspaceId, request, ctx.actor.phoneNumberIds);
  const ids = rows.slice(0, request.limit).map((row) => row.id);
  const numbers = await seenNumbers(ctx.sql, ctx.workspaceId, ids, ctx.actor);
  const counts = await countsOf(ctx.sql, ctx.workspaceId, numbers, ctx.now);
  return { body: page(rows, request, (row) => renderAccount(row, numbers, counts)) };
}

/**
 * Ends the connection and erases the token. The account and its numbers stay in the lists, because messages refer to them; an
 * account that was never connected is deleted.
 */
export async function disconnectAccount(ctx: TxCtx, { params }: ById): Promise<Answer<null>> {
  const { sql, workspaceId } = ctx;
  const account = await lockSecretAccountRow(sql, workspaceId, uuidOfPath("acc", params.id));
  if (!account) throw notFound();
  const resource = { type: "business_account", id: formatId("acc", account.id) };
  if (account.imported_at === null) {
    await deleteAccountRow(sql, workspaceId, account.id);
    return { body: null, resource, changes: { status: { before: account.status, after: null } } };
  }
  const reason = "Disconnected by this workspace.";
  const row = { workspace_id: workspaceId, id: account.id, reason, provider_event: null, with_event: false };
  await disconnectIn(sql, row, ctx.now);
  await updateAccountRowTokensErased(sql, workspaceId, account.id);
  const changes = { status: { before: account.status, after: "disconnected" } };
  return { body: null, resource, changes };
}

async function accountAnswer(
  sql: Sql,
  workspaceId: string,
  row: AccountRow,
  now: number,
  actor: Pick<Actor, "phoneNumberIds"> = { phoneNumberIds: null },
): Promise<Answer<BusinessAccount>> {
  const numbers = await seenNumbers(sql, workspaceId, [row.id], actor);
  const body = renderAccount(row, numbers, await countsOf(sql, workspaceId, numbers, now));
  return { body, resource: { type: "business_account", id: body.id } };
}

/** The numbers of these accounts that the actor may see. */
async function seenNumbers(
  sql: Sql,
  workspaceId: string,
  accountIds: readonly string[],
  actor: Pick<Actor, "phoneNumberIds">,
): Promise<NumberRow[]> {
  const rows = await selectNumberRowsOfAccounts(sql, workspaceId, accountIds);
  return rows.filter(({ id }) => mayUseNumber(actor, id));
}
