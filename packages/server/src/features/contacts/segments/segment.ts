import type { TxCtx } from "../../../ctx.ts";
import { etagOf, requireMatch } from "../../../http/headers.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { DEFAULT_LIMIT, type Page, type PageQuery, page, pageRequest } from "../../../http/pagination.ts";
import { notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { pageOf } from "../list.ts";
import type { Contact } from "../schema.ts";
import { countPart } from "../search/search.ts";
import { conditionOfSegment } from "./condition.ts";
import { parseFilter } from "./filter.ts";
import { MOST_SEGMENTS } from "./limits.ts";
import type { Recounts } from "./recounts.ts";
import type { NewSegment, Segment, SegmentChange, SegmentPreview, SegmentPreviewInput } from "./schema.ts";
import {
  countSegmentRows,
  deleteSegmentRow,
  insertSegmentRow,
  lockSegmentRow,
  type SegmentRow,
  selectSegmentRow,
  selectSegmentRows,
  updateSegmentRow,
  updateSegmentRowCount,
} from "./segment.store.ts";

/** All counts of a request together; what takes longer is counted in the background, and the last count is returned. */
const COUNT_BUDGET_MS = 500;
/** Contacts that a preview shows. */
const PREVIEWED = 10;

/** What verbs of segments use beside their context. */
export type SegmentDeps = { recounts: Pick<Recounts, "ask"> };

async function createSegment(
  ctx: TxCtx,
  { body }: { body: NewSegment },
  { recounts }: SegmentDeps,
): Promise<Answer<Segment>> {
  parseFilter(body.filter, ctx.now);
  if ((await countSegmentRows(ctx.sql, ctx.workspaceId)) >= MOST_SEGMENTS)
    throw new Problem("conflict", `A workspace has at most ${MOST_SEGMENTS} segments.`);
  const row = await insertSegmentRow(ctx.sql, ctx.workspaceId, { id: newUuid(ctx.now), now: ctx.now, ...body });
  const answer = await answerOf(ctx, row, recounts);
  await keepCount(ctx, row, answer.body);
  return {
    ...answer,
    headers: { ...answer.headers, location: `/v1/segments/${answer.body.id}` },
    changes: changesOf(body),
  };
}

/** A page of segments, each with its count. */
async function listSegments(
  ctx: TxCtx,
  { query }: { query: PageQuery },
  { recounts }: SegmentDeps,
): Promise<Answer<Page<Segment>>> {
  const request = pageRequest(query);
  const rows = await selectSegmentRows(ctx.sql, ctx.workspaceId, { before: request.before, limit: request.fetch });
  const counts = await countsOf(ctx, rows.slice(0, request.limit), recounts);
  return { body: page(rows, request, (row) => render(row, counts.get(row.id))) };
}

/** One segment; 404 when the workspace has none of this id, here and in the verbs below. */
async function getSegment(ctx: TxCtx, { params }: ById, { recounts }: SegmentDeps): Promise<Answer<Segment>> {
  const row = await selectSegmentRow(ctx.sql, ctx.workspaceId, uuidOfPath("seg", params.id));
  if (!row) throw notFound();
  return await answerOf(ctx, row, recounts);
}

async function updateSegment(
  ctx: TxCtx,
  { params, body, ifMatch }: ById & { body: SegmentChange; ifMatch?: string },
  { recounts }: SegmentDeps,
): Promise<Answer<Segment>> {
  if (body.filter !== undefined) parseFilter(body.filter, ctx.now);
  const before = await lockMatching(ctx, params.id, ifMatch);
  const row = await updateSegmentRow(ctx.sql, ctx.workspaceId, before.id, {
    name: body.name ?? before.name,
    filter: body.filter ?? before.filter,
    isCounted: body.filter === undefined,
    now: ctx.now,
  });
  const answer = await answerOf(ctx, row, recounts);
  await keepCount(ctx, row, answer.body);
  return { ...answer, changes: changesOf(body) };
}

export async function deleteSegment(
  ctx: TxCtx,
  { params, ifMatch }: ById & { ifMatch?: string },
): Promise<Answer<null>> {
  const row = await lockMatching(ctx, params.id, ifMatch);
  await deleteSegmentRow(ctx.sql, ctx.workspaceId, row.id);
  return { body: null, resource: { type: "segment", id: formatId("seg", row.id) }, changes: { fields: [] } };
}

type InputOf<Verb> = Verb extends (ctx: TxCtx, input: infer Input, deps: SegmentDeps) => unknown ? Input : never;

/** The verbs that count. */
export const segmentVerbs = (deps: SegmentDeps) => ({
  createSegment: (ctx: TxCtx, input: InputOf<typeof createSegment>) => createSegment(ctx, input, deps),
  listSegments: (ctx: TxCtx, input: InputOf<typeof listSegments>) => listSegments(ctx, input, deps),
  getSegment: (ctx: TxCtx, input: InputOf<typeof getSegment>) => getSegment(ctx, input, deps),
  updateSegment: (ctx: TxCtx, input: InputOf<typeof updateSegment>) => updateSegment(ctx, input, deps),
});

/** Those who fit now, newest first. */
export async function listSegmentContacts(
  ctx: TxCtx,
  { params, query }: ById & { query: PageQuery },
): Promise<Answer<Page<Contact>>> {
  const condition = await conditionOfSegment(ctx, uuidOfPath("seg", params.id));
  if (condition === null) throw notFound();
  const find = { condition, cursor: query.cursor ?? null, limit: query.limit ?? DEFAULT_LIMIT };
  return { body: await pageOf(ctx, find), resource: { type: "segment", id: params.id } };
}

/** Whom a filter has now, without a segment. */
export async function previewSegment(
  ctx: TxCtx,
  { body }: { body: SegmentPreviewInput },
): Promise<Answer<SegmentPreview>> {
  const condition = parseFilter(body.filter, ctx.now);
  const { data } = await pageOf(ctx, { condition, cursor: null, limit: PREVIEWED });
  const { count, at } = await countPart(ctx, { condition, from: null, budgetMs: COUNT_BUDGET_MS });
  return { body: { count: at === null ? count : null, data } };
}

async function lockMatching(ctx: TxCtx, id: string, ifMatch: string | undefined): Promise<SegmentRow> {
  const row = await lockSegmentRow(ctx.sql, ctx.workspaceId, uuidOfPath("seg", id));
  if (!row) throw notFound();
  requireMatch(ifMatch, etagOf(row.revision));
  return row;
}

/** What the audit log says of it: a name or a filter may name people, and the log outlives them. */
const changesOf = (body: SegmentChange): { fields: string[] } => ({ fields: Object.keys(body) });

type Count = Pick<SegmentRow, "count" | "counted_at">;

async function answerOf(ctx: TxCtx, row: SegmentRow, recounts: SegmentDeps["recounts"]): Promise<Answer<Segment>> {
  const counts = await countsOf(ctx, [row], recounts);
  const body = render(row, counts.get(row.id));
  return { body, headers: { etag: etagOf(row.revision) }, resource: { type: "segment", id: body.id } };
}

/** The counts of segments now, by uuid; those that are not there took too long, and are asked for in the background. */
async function countsOf(
  ctx: TxCtx,
  rows: readonly SegmentRow[],
  recounts: SegmentDeps["recounts"],
): Promise<Map<string, Count>> {
  const counts = new Map<string, Count>();
  const until = performance.now() + COUNT_BUDGET_MS;
  for (const { id, filter } of rows) {
    const budgetMs = Math.floor(until - performance.now());
    const condition = parseFilter(filter, ctx.now);
    const part = budgetMs > 0 ? await countPart(ctx, { condition, from: null, budgetMs }) : null;
    if (part?.at === null) counts.set(id, { count: part.count, counted_at: new Date(ctx.now) });
    else recounts.ask({ workspaceId: ctx.workspaceId, id });
  }
  return counts;
}

/** For later answers that cannot count it in time. */
async function keepCount(ctx: TxCtx, { id, revision }: SegmentRow, { count, counted_at }: Segment): Promise<void> {
  if (count === null || counted_at !== new Date(ctx.now).toISOString()) return;
  await updateSegmentRowCount(ctx.sql, ctx.workspaceId, { id, revision, count, now: ctx.now });
}

function render(row: SegmentRow, now: Count = row): Segment {
  return {
    id: formatId("seg", row.id),
    name: row.name,
    filter: row.filter as Segment["filter"], // as it was taken from a client, by this schema
    count: now.count,
    counted_at: now.counted_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
