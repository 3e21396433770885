import type { TxCtx } from "../../ctx.ts";
import { emit } from "../../features/events/event.ts";
import { etagOf, requireMatch } from "../../http/headers.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { type Page, page, pageRequest } from "../../http/pagination.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { NOTE_EVENTS } from "./events.ts";
import type { Note, NoteChange, NoteInput, NoteListQuery } from "./schema.ts";
import {
  countNoteRows,
  deleteNoteRow,
  insertNoteRow,
  lockNoteRow,
  type NoteRow,
  selectNoteRow,
  selectNoteRows,
  updateNoteRow,
} from "./store.ts";

/** Nothing prunes notes, so their number is limited. */
const MOST_NOTES = 1_000;

/** The workspace's notes, newest first. */
export async function listNotes(
  { sql, workspaceId }: TxCtx,
  { query }: { query: NoteListQuery },
): Promise<Answer<Page<Note>>> {
  const request = pageRequest(query);
  const rows = await selectNoteRows(sql, workspaceId, { ...request, topic: query.topic });
  return { body: page(rows, request, renderNote) };
}

/** One note; 404 for an unknown one and for another workspace's, here and in the verbs below. */
export async function getNote({ sql, workspaceId }: TxCtx, { params }: ById): Promise<Answer<Note>> {
  const row = await selectNoteRow(sql, workspaceId, uuidOfPath("memo", params.id));
  if (!row) throw notFound();
  return answerOf(row);
}

/** Creates a note, with its event; 409 when the workspace has too many. */
export async function createNote(ctx: TxCtx, { body: { text, topic } }: { body: NoteInput }): Promise<Answer<Note>> {
  if ((await countNoteRows(ctx.sql, ctx.workspaceId)) >= MOST_NOTES)
    throw new Problem("conflict", `A workspace has at most ${MOST_NOTES} notes.`);
  const note = { id: newUuid(ctx.now), text, topic: topic ?? null, now: ctx.now };
  const row = await insertNoteRow(ctx.sql, ctx.workspaceId, note);
  const { body, headers, resource } = answerOf(row);
  await emit(ctx, NOTE_EVENTS, { kind: "note_created", resource: row.id, state: { note: body }, conversation: row.id });
  return {
    body,
    headers: { ...headers, location: `/v1/notes/${body.id}` },
    resource,
    changes: { text, topic: note.topic },
  };
}

/** Changes the fields that are given; 412 when `If-Match` names another version than the current one. */
export async function updateNote(
  ctx: TxCtx,
  { params, body, ifMatch }: ById & { body: NoteChange; ifMatch?: string },
): Promise<Answer<Note>> {
  const row = await lockMatchingNote(ctx, params.id, ifMatch);
  const after = {
    id: row.id,
    text: body.text ?? row.text,
    topic: body.topic === undefined ? row.topic : body.topic,
    now: ctx.now,
  };
  return { ...answerOf(await updateNoteRow(ctx.sql, ctx.workspaceId, after)), changes: body };
}

/** Deletes a note; 412 as for changing it. */
export async function deleteNote(ctx: TxCtx, { params, ifMatch }: ById & { ifMatch?: string }): Promise<Answer<null>> {
  const row = await lockMatchingNote(ctx, params.id, ifMatch);
  await deleteNoteRow(ctx.sql, ctx.workspaceId, row.id);
  return { body: null, resource: { type: "note", id: params.id } };
}

async function lockMatchingNote(
  { sql, workspaceId }: TxCtx,
  id: string,
  ifMatch: string | undefined,
): Promise<NoteRow> {
  const row = await lockNoteRow(sql, workspaceId, uuidOfPath("memo", id));
  if (!row) throw notFound();
  requireMatch(ifMatch, etagOf(row.version));
  return row;
}

function answerOf(row: NoteRow) {
  const body = renderNote(row);
  return { body, headers: { etag: etagOf(row.version) }, resource: { type: "note", id: body.id } };
}

const renderNote = ({ id, text, topic, created_at, updated_at }: NoteRow): Note => ({
  id: formatId("memo", id),
  text,
  topic,
  created_at: isoTime(created_at.getTime()),
  updated_at: isoTime(updated_at.getTime()),
});
