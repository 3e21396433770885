import type { HotFunction } from "../../db/hot-function.ts";
import type { Feature } from "../../feature.ts";
import { templateRoutes } from "./routes.ts";
import { upsertTemplates } from "./store.ts";

export const TEMPLATE_FUNCTIONS: readonly HotFunction[] = [upsertTemplates];

/** Templates as the provider last told them. */
export const templatesFeature = (): Feature => ({ name: "templates", routes: templateRoutes() });
