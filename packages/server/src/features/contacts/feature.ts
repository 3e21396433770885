import type { Feature } from "../../feature.ts";
import { Pace } from "../tasks/pace.ts";
import { ERASE_TASK, eraseRest } from "./erase.ts";
import { CONTACT_EVENTS } from "./events.ts";
import { IMPORT_TASK } from "./imports/import.ts";
import { importRoutes } from "./imports/routes.ts";
import { importsOf } from "./imports/run.ts";
import { SWEEP_EVERY_MS, SWEEP_FILES_EVERY_MS, sweepDueImports, sweepFiles, sweepImports } from "./imports/sweep.ts";
import { forgets } from "./personal-data.ts";
import { CONTACT_ROUTES, eraseRoute } from "./routes.ts";
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
    contact_import: {
      app: "insert, select, update",
      engine:
        "delete, select(completed_at created_at id job_id status workspace_id), update(completed_at error status updated_at)",
    },
    contact_import_error: { app: "insert, select", engine: "delete, select(import_id workspace_id)" },
    erased_name: { app: "", engine: "delete, insert, select, update" },
    erased_contact: { app: "select", engine: "insert, select, update" },
    conversation: {
      app: "delete, select, update(owner_at owner_marks owner_role owner_since read_to)",
      engine: "delete, insert, select, update",
    },
    segment: { app: "delete, insert, select, update", engine: "" },
  },
  forgets,
  moves: {
    "contact.changed_era": "written again",
    "contact.changed_in": "written again",
    "erased_contact.changed_era": "written again",
    "erased_contact.changed_in": "written again",
  },
  functions: [writeContacts, findContacts, changedContacts, countContacts, sweepImports],
  events: [CONTACT_EVENTS],
  build(app, { files, identityResolver, erasure }) {
    const imports = importsOf(app, files);
    const pace = new Pace(app); // of erasures
    const recounts = new Recounts(app);
    return {
      routes: [
        ...importRoutes(files),
        ...CONTACT_ROUTES,
        eraseRoute(identityResolver, erasure),
        ...segmentRoutes({ recounts }),
      ],
      tasks: {
        [IMPORT_TASK]: (task) => imports.run(task),
        [ERASE_TASK]: (task) => eraseRest(app, task, { erasure, pace }),
      },
      timers: [
        { name: "sweep imports", role: "maintenance", everyMs: SWEEP_EVERY_MS, run: () => sweepDueImports(app) },
        {
          name: "sweep files of imports",
          role: "maintenance",
          everyMs: SWEEP_FILES_EVERY_MS,
          run: () => sweepFiles(app, files),
        },
      ],
      stop: () => recounts.stop(),
    };
  },
};
