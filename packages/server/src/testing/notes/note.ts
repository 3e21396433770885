import type { TxCtx } from "../../ctx.ts";
import { emit } from "../../features/webhooks/event.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { type Page, type PageQuery, page, pageRequest } from "../../http/pagination.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { NOTE_EVENTS } from "./events.ts";
import type { Note, NoteInput } from "./schema.ts";
import { countNoteRows, deleteNoteRow, insertNoteRow, type NoteRow, selectNoteRow, selectNoteRows } from "./store.ts";

/** Nothing prunes notes, so their number is limited. */
const MOST_NOTES = 1_000;

/** The workspace's notes, newest first. */
export async function listNotes(
  { sql, workspaceId }: TxCtx,
  { query }: { query: PageQuery },
): Promise<Answer<Page<Note>>> {
  const request = pageRequest(query);
  return { body: page(await selectNoteRows(sql, workspaceId, request), request, renderNote) };
}

/** One note; 404 for an unknown one and for another workspace's. */
export async function getNote({ sql, workspaceId }: TxCtx, { params }: ById): Promise<Answer<Note>> {
  const row = await selectNoteRow(sql, workspaceId, uuidOfPath("note", params.id));
  if (!row) throw notFound();
  return { body: renderNote(row), resource: { type: "note", id: params.id } };
}

/** Creates a note, with its event; 409 when the workspace has too many. */
export async function createNote(ctx: TxCtx, { body: { text } }: { body: NoteInput }): Promise<Answer<Note>> {
  if ((await countNoteRows(ctx.sql, ctx.workspaceId)) >= MOST_NOTES)
    throw new Problem("conflict", `A workspace has at most ${MOST_NOTES} notes.`);
  const row: NoteRow = { id: newUuid(ctx.now), text, created_at: new Date(ctx.now) };
  await insertNoteRow(ctx.sql, ctx.workspaceId, row);
  const body = renderNote(row);
  await emit(ctx, NOTE_EVENTS, { kind: "note_created", resource: row.id, state: { note: body }, conversation: row.id });
  return {
    body,
    headers: { location: `/v1/notes/${body.id}` },
    resource: { type: "note", id: body.id },
    changes: { text },
  };
}

/** Deletes a note; 404 as for reading. */
export async function deleteNote({ sql, workspaceId }: TxCtx, { params }: ById): Promise<Answer<null>> {
  if (!(await deleteNoteRow(sql, workspaceId, uuidOfPath("note", params.id)))) throw notFound();
  return { body: null, resource: { type: "note", id: params.id } };
}

const renderNote = (row: NoteRow): Note => ({
  id: formatId("note", row.id),
  text: row.text,
  created_at: isoTime(row.created_at.getTime()),
});
