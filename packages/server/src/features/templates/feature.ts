import type { Feature } from "../../feature.ts";
import { templateRoutes } from "./routes.ts";

export const templatesFeature = (): Feature => ({ name: "templates", routes: templateRoutes() });
