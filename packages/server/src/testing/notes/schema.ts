import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { timestampOutput } from "../../http/timestamps.ts";

/** Notes are read by people; longer texts belong in a document. */
const LONGEST_TEXT = 1_000;

export const Note = Type.Object(
  { id: idSchema("note"), text: Type.String(), created_at: timestampOutput() },
  {
    $id: "Note",
    examples: [{ id: "note_01jd0000000000000000000000", text: "Call back", created_at: "2026-01-31T09:30:00.000Z" }],
  },
);
export type Note = Static<typeof Note>;

export const NoteInput = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: LONGEST_TEXT }) },
  { $id: "NoteInput", examples: [{ text: "Call back" }] },
);
export type NoteInput = Static<typeof NoteInput>;

export const NoteList = listOf(Note);
export const NoteListQuery = Type.Object(listQuery);
