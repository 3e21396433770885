import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { nameInput, nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";

/** Notes are read by people; longer texts belong in a document. */
const LONGEST_TEXT = 1_000;
const LONGEST_TOPIC = 64;

const Text = Type.String({ minLength: 1, maxLength: LONGEST_TEXT });
const Topic = nameInput(LONGEST_TOPIC, { description: "What the note is about." });

export const NOTE_EXAMPLE = {
  id: "memo_01jd0000000000000000000000",
  text: "Call back",
  topic: "billing",
  created_at: "2026-01-31T09:30:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

export const Note = Type.Object(
  {
    id: idSchema("memo"),
    text: Type.String(),
    topic: nullable(Type.String()),
    created_at: timestampOutput(),
    updated_at: timestampOutput(),
  },
  {
    $id: "Note",
    examples: [NOTE_EXAMPLE],
  },
);
export type Note = Static<typeof Note>;

export const NoteInput = Type.Object(
  { text: Text, topic: Type.Optional(nullable(Topic)) },
  { $id: "NoteInput", examples: [{ text: "Call back", topic: "billing" }] },
);
export type NoteInput = Static<typeof NoteInput>;

/** What is not given stays; `null` takes a topic away. */
export const NoteChange = Type.Object(
  { text: Type.Optional(Text), topic: Type.Optional(nullable(Topic)) },
  { $id: "NoteChange", examples: [{ text: "Call back before noon" }] },
);
export type NoteChange = Static<typeof NoteChange>;

export const NoteList = listOf(Note);
export const NoteListQuery = Type.Object({
  ...listQuery,
  topic: Type.Optional(
    Type.String({ maxLength: LONGEST_TOPIC, description: "Only notes about this; matches exactly." }),
  ),
});
export type NoteListQuery = Static<typeof NoteListQuery>;
