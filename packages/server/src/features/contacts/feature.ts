import type { Feature } from "../../feature.ts";
import { CONTACT_EVENTS } from "./events.ts";
import { CONTACT_ROUTES } from "./routes.ts";
import { changedContacts } from "./search/changed.store.ts";
import { countContacts } from "./search/count.store.ts";
import { findContacts } from "./search/find.store.ts";
import { Recounts } from "./segments/recounts.ts";
import { segmentRoutes } from "./segments/routes.ts";
import { writeContacts } from "./write.store.ts";

const tags = { Contacts: "The people that you exchange messages with, each of them one contact." } as const;
const ids = { con: "contact", seg: "segment", imp: "import" } as const;
const scopes = ["contacts:read", "contacts:write"] as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** The people that a workspace exchanges messages with, as its programs see them. */
export const contacts: Feature = {
  name: "contacts",
  tags,
  ids,
  scopes,
  grants: {
    contact: { app: "delete, insert, select, update", engine: "delete, insert, select, update" },
    conversation: { app: "delete, select, update(read_to)", engine: "delete, insert, select, update" },
    segment: { app: "delete, insert, select, update", engine: "" },
  },
  functions: [writeContacts, findContacts, changedContacts, countContacts],
  events: [CONTACT_EVENTS],
  build(app) {
    const recounts = new Recounts(app);
    return { routes: [...CONTACT_ROUTES, ...segmentRoutes({ recounts })], stop: () => recounts.stop() };
  },
};
