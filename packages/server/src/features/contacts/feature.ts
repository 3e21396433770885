import type { Feature } from "../../feature.ts";
import { CONTACT_EVENTS } from "./events.ts";

const ids = { con: "contact", seg: "segment", imp: "import" } as const;
const scopes = ["contacts:read", "contacts:write"] as const;
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** The people that a workspace exchanges messages with. */
export const contacts: Feature = {
  name: "contacts",
  ids,
  scopes,
  grants: {
    contact: { app: "delete, insert, select, update", engine: "insert, select, update" },
    conversation: { app: "delete, select", engine: "insert, select, update" },
  },
  events: [CONTACT_EVENTS],
};
