import type { Feature } from "../../feature.ts";
import { NOTE_EVENTS } from "./events.ts";
import { NOTE_ROUTES } from "./routes.ts";

const tags = { Notes: "Short notes of the workspace." } as const;
const ids = { memo: "note" } as const;
const scopes = ["notes:read", "notes:write"] as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** Short notes of a workspace. */
export const notes: Feature = {
  name: "notes",
  tags,
  ids,
  scopes,
  grants: { note: { app: "delete, insert, select, update", engine: "" } },
  forgets: {
    tables: {
      note: {
        holds: "what the workspace wrote, which may name people",
        erasure: "stays until the note is changed or deleted",
      },
    },
  },
  events: [NOTE_EVENTS],
  build: () => ({ routes: NOTE_ROUTES }),
};
