import type { Ctx, TxCtx } from "../../../ctx.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { type Page, page, pageRequest } from "../../../http/pagination.ts";
import { notFound } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { keysetPages, ROWS_A_PAGE } from "../../../http/stream-rows.ts";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { countActiveLocked } from "../../tasks/long-task.sql.ts";
import { enqueueTask, hintTasks } from "../../tasks/task.ts";
import {
  type ErrorRow,
  endImportRow,
  IMPORTS,
  type ImportRow,
  insertImportRow,
  selectErrorRows,
  selectImportRow,
  selectImportRows,
} from "./import.store.ts";
import type { ReceivedImport } from "./receive.ts";
import {
  type ContactImport,
  type ContactImportError,
  type ImportListQuery,
  type ImportQuery,
  MOST_ACTIVE,
  tooManyImports,
} from "./schema.ts";

/** The task that reads the file of an import. */
export const IMPORT_TASK = "contacts.import";

/** Stores an import whose file was received, with the task that reads it. */
export async function createImport(
  ctx: TxCtx,
  _input: { query: ImportQuery },
  file: ReceivedImport,
): Promise<Answer<ContactImport>> {
  const { sql, workspaceId, now } = ctx;
  if ((await countActiveLocked(sql, IMPORTS, workspaceId)) >= MOST_ACTIVE) throw tooManyImports();
  const taskId = newUuid(now);
  const row = await insertImportRow(sql, workspaceId, {
    id: file.id,
    format: file.format,
    mapping: file.mapping,
    delimiter: file.delimiter,
    targets: file.targets,
    total_bytes: file.totalBytes,
    bytes: file.place.offset,
    lines: file.place.line,
    job_id: taskId,
    created_at: new Date(now),
  });
  const body = renderImport(row);
  const payload = { import_id: row.id };
  await enqueueTask(sql, workspaceId, { kind: IMPORT_TASK, payload, now, id: taskId, isLong: true });
  return {
    ...answerOf(body),
    headers: { location: `/v1/contacts/imports/${body.id}` },
    changes: { format: row.format, total_bytes: row.total_bytes },
  };
}

/** Tells the owner of the task that it can begin. */
export function startImport(ctx: Ctx, answer: Answer<ContactImport>): Promise<Answer<ContactImport>> {
  hintTasks(ctx.notifier, ctx.workspaceId);
  return Promise.resolve(answer);
}

export async function getImport(ctx: TxCtx, { params }: ById): Promise<Answer<ContactImport>> {
  return answerOf(renderImport(await requireImport(ctx, params.id)));
}

/** Newest first. */
export async function listImports(
  { sql, workspaceId }: TxCtx,
  { query }: { query: ImportListQuery },
): Promise<Answer<Page<ContactImport>>> {
  const request = pageRequest(query);
  const rows = await selectImportRows(sql, workspaceId, { before: request.before, limit: request.fetch });
  return { body: page(rows, request, renderImport) };
}

/** Ends an import where it stands; one that has ended is returned as it is. */
export async function cancelImport(ctx: TxCtx, { params }: ById): Promise<Answer<ContactImport>> {
  const known = await requireImport(ctx, params.id);
  const end = { status: "canceled" as const, error: null, at: new Date(ctx.now) };
  const canceled = await endImportRow(ctx.sql, ctx.workspaceId, known.id, end);
  return answerOf(renderImport(canceled ?? (await requireImport(ctx, params.id))));
}

type ErrorsInput = ById & { query: ImportListQuery };

/** What is wrong with rows, in the order of the file. */
export async function listImportErrors(
  ctx: TxCtx,
  { params, query }: ErrorsInput,
): Promise<Answer<Page<ContactImportError>>> {
  const { id } = await requireImport(ctx, params.id);
  const request = pageRequest(query);
  const after = request.before === null ? 0 : rowOfPosition(request.before);
  const rows = await selectErrorRows(ctx.sql, ctx.workspaceId, id, { after, limit: request.fetch });
  const shown = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? shown.at(-1) : undefined;
  return {
    body: { data: shown.map(renderError), next_cursor: last === undefined ? null : positionOf(last) },
    resource: { type: "import", id: params.id },
  };
}

/** The same as rows. */
export async function* streamImportErrors(
  ctx: Ctx,
  { params }: ErrorsInput,
): AsyncGenerator<readonly ContactImportError[]> {
  const { workspaceId } = ctx;
  const { id } = await ctx.db.read(workspaceId, (sql) => requireImport({ sql, workspaceId }, params.id));
  yield* keysetPages(ctx, async (sql, after: number | null) => {
    const rows = await selectErrorRows(sql, workspaceId, id, { after: after ?? 0, limit: ROWS_A_PAGE });
    return { rows: rows.map(renderError), next: rows.length < ROWS_A_PAGE ? null : (rows.at(-1)?.row ?? null) };
  });
}

// Longer than a uuid, as a position in a cursor has to be.
const positionOf = ({ row }: ErrorRow): string => `row ${String(row).padStart(20, "0")}`;
const rowOfPosition = (position: string): number => Number(position.slice("row ".length)) || 0;

async function requireImport(
  { sql, workspaceId }: Pick<TxCtx, "sql" | "workspaceId">,
  publicId: string,
): Promise<ImportRow> {
  const row = await selectImportRow(sql, workspaceId, uuidOfPath("imp", publicId));
  if (!row) throw notFound();
  return row;
}

const answerOf = (body: ContactImport): Answer<ContactImport> => ({ body, resource: { type: "import", id: body.id } });

const renderError = ({ row, line, column, code, detail }: ErrorRow): ContactImportError => ({
  row,
  line,
  column,
  code,
  detail,
});

const renderImport = (row: ImportRow): ContactImport => ({
  id: formatId("imp", row.id),
  status: row.status,
  format: row.format,
  mapping: row.mapping,
  progress: {
    rows: row.rows,
    created: row.created,
    updated: row.updated,
    failed: row.failed,
    bytes: row.bytes,
    total_bytes: row.total_bytes,
  },
  error: row.error,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});
