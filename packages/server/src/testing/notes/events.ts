import { eventGroup } from "../../features/events/event-groups.ts";

export const NOTE_EVENTS = eventGroup({
  category: "note",
  kinds: ["note_created"],
  data: ({ state }) => ({ note: state["note"] ?? null }),
});
