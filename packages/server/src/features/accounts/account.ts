import type { Ctx, TxCtx } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { uuidOfPath } from "../../http/ids.ts";
import { page, pageRequest } from "../../http/pagination.ts";
import { notFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { enqueueTask, hintTasks } from "../tasks/task.ts";
import type { Jobs } from "../tasks/wait.ts";
import { CONNECT, type ConnectPayload } from "./connect-task.ts";
import { renderAccount } from "./render.ts";
import { disconnectIn } from "./routing.store.ts";
import type { BusinessAccount, ListQuery, NewBusinessAccount } from "./schema.ts";
import {
  type AccountRow,
  claimAccount,
  eraseTokens,
  listAccounts,
  lockAccount,
  putPendingToken,
  readAccount,
  readNumbersOf,
  readSecretAccount,
} from "./store.ts";
import { tokenContext } from "./token.ts";

/** 201 when verified and imported by then, else 202 and going on. */
const WAIT_MS = 10_000;

type ById = { params: { id: string } };

/** Keeps the token and the wish to connect; the task does the rest. A connected account keeps working with its old token meanwhile. */
export async function connectAccount(
  ctx: TxCtx,
  { body }: { body: NewBusinessAccount },
): Promise<Answer<BusinessAccount>> {
  const { sql, workspaceId } = ctx;
  const now = new Date(ctx.now);
  const jobId = newUuid(ctx.now);
  const fresh = { id: newUuid(ctx.now), providerAccountId: body.provider_account_id, jobId, now };
  const { id } = await claimAccount(sql, workspaceId, fresh);
  const token = ctx.secrets.seal(body.access_token, tokenContext(workspaceId, id));
  const row = await putPendingToken(sql, workspaceId, id, { token, jobId, now });
  const answer = await shown(sql, workspaceId, row);
  const payload: ConnectPayload = { account_id: id };
  await enqueueTask(sql, workspaceId, { kind: CONNECT, payload, now: ctx.now, id: jobId });
  const changes = { provider_account_id: body.provider_account_id };
  return { ...answer, status: 202, headers: { location: `/v1/business-accounts/${answer.body.id}` }, changes };
}

/** After the commit: waits for the task, and answers with what it came to. */
export async function awaitConnection(
  ctx: Ctx,
  jobs: Jobs,
  first: Answer<BusinessAccount>,
): Promise<Answer<BusinessAccount>> {
  const { workspaceId } = ctx;
  hintTasks(ctx.wake, workspaceId);
  const id = uuidOfPath("acc", first.body.id);
  const account = await ctx.db.read(workspaceId, (sql) => readSecretAccount(sql, workspaceId, id));
  if (!account) return first;
  const job = await jobs.wait(ctx, account.job_id, WAIT_MS);
  const answer = await ctx.db.read(workspaceId, async (sql) => {
    const row = await readAccount(sql, workspaceId, id);
    return row ? await shown(sql, workspaceId, row) : first;
  });
  const done = job?.status === "done" && answer.body.status === "connected";
  return { ...first, body: answer.body, status: done ? 201 : 202 };
}

export async function getAccount(ctx: TxCtx, { params }: ById): Promise<Answer<BusinessAccount>> {
  const row = await readAccount(ctx.sql, ctx.workspaceId, uuidOfPath("acc", params.id));
  if (!row) throw notFound();
  return await shown(ctx.sql, ctx.workspaceId, row);
}

export async function findAccounts(
  ctx: TxCtx,
  { query }: { query: ListQuery },
): Promise<Answer<{ data: BusinessAccount[]; next_cursor: string | null }>> {
  const request = pageRequest(query);
  const rows = await listAccounts(ctx.sql, ctx.workspaceId, request);
  const ids = rows.slice(0, request.limit).map((row) => row.id);
  const numbers = await readNumbersOf(ctx.sql, ctx.workspaceId, ids);
  return { body: page(rows, request, (row) => renderAccount(row, numbers)) };
}

/** Ends the connection and erases the token. The account and its numbers stay in the lists, for the messages that name them. */
export async function disconnectAccount(ctx: TxCtx, { params }: ById): Promise<Answer<null>> {
  const { sql, workspaceId } = ctx;
  const account = await lockAccount(sql, workspaceId, uuidOfPath("acc", params.id));
  if (!account) throw notFound();
  const reason = "Disconnected by this workspace.";
  const row = { workspace_id: workspaceId, id: account.id, reason, provider_event: null, tell: false };
  await disconnectIn(sql, row, ctx.now);
  await eraseTokens(sql, workspaceId, account.id);
  const changes = { status: { before: account.status, after: "disconnected" } };
  return { body: null, resource: { type: "business_account", id: formatId("acc", account.id) }, changes };
}

async function shown(sql: Sql, workspaceId: string, row: AccountRow): Promise<Answer<BusinessAccount>> {
  const body = renderAccount(row, await readNumbersOf(sql, workspaceId, [row.id]));
  return { body, resource: { type: "business_account", id: body.id } };
}
