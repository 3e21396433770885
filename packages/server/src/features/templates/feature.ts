import type { Feature } from "../../feature.ts";
import { TEMPLATE_EVENTS, TEMPLATE_STATUS_EVENTS } from "./events.ts";
import { templateHandlers } from "./refetch.ts";
import { templateRoutes } from "./routes.ts";
import { findTemplates } from "./store.ts";
import { SETTLE } from "./submit/intent.ts";
import { Samples } from "./submit/samples.ts";
import { settle } from "./submit/settle-task.ts";
import { upsertTemplates } from "./upsert.store.ts";

const tags = {
  Templates: "The message templates of the connected accounts, as last reported by the provider.",
} as const;
const ids = { tpl: "template" } as const;
const scopes = ["templates:read", "templates:write"] as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** Templates as the provider last reported them. */
export const templates: Feature = {
  name: "templates",
  tags,
  ids,
  scopes,
  grants: {
    template: { app: "delete, insert, select, update", engine: "insert, select, update" },
    template_submission: { app: "delete, insert, select, update", engine: "" },
  },
  forgets: { without: ["template", "template_submission"] },
  functions: [upsertTemplates, findTemplates],
  events: [TEMPLATE_STATUS_EVENTS, TEMPLATE_EVENTS],
  build(app, { background, mediaFiles, senders, templates: cache }) {
    const forget = (workspaceId: string): void => cache.forget(workspaceId);
    return {
      routes: templateRoutes({ app, senders, samples: new Samples(app, mediaFiles), forget }),
      tasks: {
        ...templateHandlers(app, background),
        ...background.reported.within(app, { [SETTLE]: (task) => settle(app, task, forget) }),
      },
    };
  },
};
