import { Type } from "typebox";
import { hintDeliveries } from "../../features/events/event.ts";
import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { createNote, deleteNote, getNote, listNotes, updateNote } from "./note.ts";
import { Note, NoteChange, NoteInput, NoteList, NoteListQuery } from "./schema.ts";

const READ = { tag: "Notes", auth: "workspace", scope: "notes:read" } as const;
const WRITE = { tag: "Notes", auth: "workspace", scope: "notes:write" } as const;

export const NOTE_ROUTES: readonly AnyRoute[] = [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/notes",
    summary: "List notes",
    description: "Returns the notes of the workspace, newest first, all or those about a topic.",
    action: "note.list",
    query: NoteListQuery,
    status: 200,
    response: NoteList,
    verb: listNotes,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/notes",
    summary: "Create a note",
    description: "A workspace can have up to 1,000 notes.",
    action: "note.create",
    body: NoteInput,
    status: 201,
    response: Note,
    etag: true,
    errors: ["conflict"],
    verb: createNote,
    after: hintDeliveries,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/notes/{id}",
    summary: "Get a note",
    description: "Returns the note with its whole text.",
    action: "note.read",
    params: idParams("memo"),
    status: 200,
    response: Note,
    etag: true,
    verb: getNote,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "PATCH",
    path: "/v1/notes/{id}",
    summary: "Update a note",
    description: "Changes the fields that are given.",
    action: "note.update",
    params: idParams("memo"),
    body: NoteChange,
    status: 200,
    response: Note,
    etag: true,
    errors: ["precondition_failed"],
    verb: updateNote,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "DELETE",
    path: "/v1/notes/{id}",
    summary: "Delete a note",
    description: "Deletes the note at once; it cannot be restored.",
    action: "note.delete",
    params: idParams("memo"),
    status: 204,
    response: Type.Null(),
    errors: ["precondition_failed"],
    verb: deleteNote,
  }),
];
