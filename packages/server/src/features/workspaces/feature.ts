export { WORKSPACE_FUNCTIONS } from "./store.ts";

import type { Feature } from "../../feature.ts";
import { workspaceRoutes } from "./routes.ts";

/** Workspaces as the operator manages them, and as a key sees its own. */
export const workspacesFeature = (): Feature => ({ name: "workspaces", routes: workspaceRoutes() });
