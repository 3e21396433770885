import type { Feature } from "../../feature.ts";
import { WORKSPACE_ROUTES } from "./routes.ts";
import { listWorkspaces } from "./store.ts";

const tags = { Workspace: "The workspace of the calling API key." } as const;
const ids = { ws: "workspace" } as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}

/** Workspaces as the operator manages them, and as a key sees its own. */
export const workspaces: Feature = {
  name: "workspaces",
  tags,
  ids,
  grants: { workspace: { app: "insert, select, update", engine: "select" } },
  forgets: { without: ["workspace"] },
  functions: [listWorkspaces],
  build: () => ({ routes: WORKSPACE_ROUTES }),
};
