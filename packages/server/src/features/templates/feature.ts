import type { HotFunction } from "../../db/hot-function.ts";
import type { Feature } from "../../feature.ts";
import { templateRoutes } from "./routes.ts";
import { findTemplates, upsertTemplates } from "./store.ts";

export const TEMPLATE_FUNCTIONS: readonly HotFunction[] = [upsertTemplates, findTemplates];

/** Templates as the provider last reported them. */
export const templatesFeature = (): Feature => ({ name: "templates", routes: templateRoutes() });
