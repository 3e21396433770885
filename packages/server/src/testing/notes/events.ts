import { Type } from "typebox";
import { eventGroup } from "../../features/events/event-groups.ts";
import { eventShape } from "../../features/events/event-shape.ts";
import { NOTE_EXAMPLE, Note } from "./schema.ts";

const NOTE_SHAPE = eventShape({
  name: "NoteEvent",
  means: { note_created: "A note was written." },
  data: Type.Object({ note: Note }),
  example: () => ({ note: NOTE_EXAMPLE }),
});

export const NOTE_EVENTS = eventGroup({
  category: "note",
  kinds: ["note_created"],
  shapes: [NOTE_SHAPE],
  data: ({ state }) => ({ note: state["note"] ?? null }),
});
