import type { TxCtx } from "../../ctx.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { type Page, type PageQuery, page, pageRequest } from "../../http/pagination.ts";
import { notFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId, NIL_WORKSPACE, newUuid } from "../../lib/ids.ts";
import { changesOf } from "../audit/fields.ts";
import { createKey, getKey, listKeys } from "../keys/key.ts";
import type { ApiKey, ApiKeyInput, NewApiKey } from "../keys/schema.ts";
import { renderKeywords, renderWorkspace } from "./render.ts";
import type { OwnWorkspace, Workspace, WorkspaceChange, WorkspaceInput } from "./schema.ts";
import {
  enterWorkspace,
  insertWorkspaceRow,
  lockWorkspaceRow,
  selectKeywordsRow,
  selectWorkspaceRow,
  selectWorkspaceRows,
  updateWorkspaceRow,
  type WorkspaceRow,
} from "./store.ts";

/**
 * Runs `fn` in a workspace, within an operator's transaction. That transaction belongs to the nil workspace, where its
 * idempotency key, kept answer and audit row are stored, so it returns there before they are written. It is one transaction:
 * when `fn` throws, it ends, and there is nothing to return to.
 */
async function inWorkspace<T>(ctx: TxCtx, workspaceId: string, fn: (ctx: TxCtx) => Promise<T>): Promise<T> {
  await enterWorkspace(ctx.sql, workspaceId);
  const result = await fn({ ...ctx, workspaceId });
  await enterWorkspace(ctx.sql, NIL_WORKSPACE);
  return result;
}

export async function createWorkspace(
  ctx: TxCtx,
  { body: input }: { body: WorkspaceInput },
): Promise<Answer<Workspace>> {
  const now = new Date(ctx.now);
  const row: WorkspaceRow = {
    id: newUuid(ctx.now),
    name: input.name,
    status: "active",
    created_at: now,
    updated_at: now,
  };
  await inWorkspace(ctx, row.id, ({ sql, workspaceId }) => insertWorkspaceRow(sql, workspaceId, row));
  const body = renderWorkspace(row);
  return {
    body,
    headers: { location: `/admin/v1/workspaces/${body.id}` },
    resource: { type: "workspace", id: body.id },
    changes: { name: row.name },
  };
}

export async function listWorkspaces(ctx: TxCtx, { query }: { query: PageQuery }): Promise<Answer<Page<Workspace>>> {
  const request = pageRequest(query);
  return { body: page(await selectWorkspaceRows(ctx.sql, request, ctx.now), request, renderWorkspace) };
}

export async function getWorkspace(ctx: TxCtx, { params }: ById): Promise<Answer<Workspace>> {
  const row = await inWorkspace(ctx, uuidOfPath("ws", params.id), requireWorkspace);
  return { body: renderWorkspace(row), resource: { type: "workspace", id: params.id } };
}

/** Renames, suspends or reactivates; a suspension reaches every process within 5 s, like a revoked key. */
export async function updateWorkspace(
  ctx: TxCtx,
  { params, body }: ById & { body: WorkspaceChange },
): Promise<Answer<Workspace>> {
  const { row, changes } = await inWorkspace(ctx, uuidOfPath("ws", params.id), async ({ sql, workspaceId }) => {
    const old = await lockWorkspaceRow(sql, workspaceId);
    if (!old) throw notFound();
    const wanted = { name: body.name ?? old.name, status: body.status ?? old.status };
    const changes = changesOf({ name: old.name, status: old.status }, wanted);
    if (changes === null) return { row: old, changes };
    const row = { ...old, ...wanted, updated_at: new Date(ctx.now) };
    await updateWorkspaceRow(sql, workspaceId, row);
    return { row, changes };
  });
  return { body: renderWorkspace(row), resource: { type: "workspace", id: params.id }, changes };
}

export const createWorkspaceKey = (
  ctx: TxCtx,
  { params, body }: ById & { body: ApiKeyInput },
): Promise<Answer<NewApiKey>> =>
  inWorkspace(ctx, uuidOfPath("ws", params.id), async (inner) => {
    await requireWorkspace(inner);
    return await createKey(inner, { body });
  });

export const listWorkspaceKeys = (
  ctx: TxCtx,
  { params, query }: ById & { query: PageQuery },
): Promise<Answer<Page<ApiKey>>> =>
  inWorkspace(ctx, uuidOfPath("ws", params.id), async (inner) => {
    await requireWorkspace(inner);
    return await listKeys(inner, { query });
  });

/** The caller's own workspace with the key of the request and its limits. */
export async function getOwnWorkspace(ctx: TxCtx): Promise<Answer<OwnWorkspace>> {
  const row = await requireWorkspace(ctx);
  const { id } = ctx.actor;
  const key = id === null ? null : await getKey(ctx, { params: { id: formatId("key", id) } });
  const limits = { requests_per_second: ctx.config.API_RATE_LIMIT };
  const keywords = await selectKeywordsRow(ctx.sql, ctx.workspaceId);
  if (!keywords) throw notFound();
  const body = { ...renderWorkspace(row), api_key: key?.body ?? null, limits, ...renderKeywords(keywords) };
  return { body, resource: { type: "workspace", id: body.id } };
}

async function requireWorkspace({ sql, workspaceId }: TxCtx): Promise<WorkspaceRow> {
  const row = await selectWorkspaceRow(sql, workspaceId);
  if (!row) throw notFound();
  return row;
}
