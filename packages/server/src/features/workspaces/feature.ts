export { WORKSPACE_FUNCTIONS } from "./store.ts";

import type { Feature } from "../../feature.ts";
import { workspaceRoutes } from "./routes.ts";

/** Workspaces: the operator's side, and what a key may know of its own. */
export const workspacesFeature = (): Feature => ({ name: "workspaces", routes: workspaceRoutes() });
