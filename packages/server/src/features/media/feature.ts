import type { Feature } from "../../feature.ts";
import { forgets } from "./personal-data.ts";

const ids = { med: "media" } as const;
const scopes = ["media:read", "media:write"] as const;
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** Files that messages have: those that clients upload to send them, and those that people send. */
export const media: Feature = {
  name: "media",
  ids,
  scopes,
  grants: {
    media: { app: "delete, insert, select, update", engine: "delete, insert, select, update" },
    media_at_provider: { app: "delete, insert, select, update", engine: "delete, insert, select, update" },
    media_fetch: { app: "delete, insert, select, update", engine: "delete, insert, select, update" },
    media_file: { app: "delete, insert, select, update", engine: "delete, select, update" },
    media_use: { app: "delete, insert, select", engine: "delete, insert, select" },
  },
  forgets,
};
