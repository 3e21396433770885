import { formatTime } from "../../http/timestamps.ts";
import { formatId } from "../../lib/ids.ts";
import type { Note } from "./schema.ts";
import type { NoteRow } from "./store.ts";

/** The note resource. */
export const renderNote = (row: NoteRow): Note => ({
  id: formatId("note", row.id),
  text: row.text,
  created_at: formatTime(row.created_at.getTime()),
});
