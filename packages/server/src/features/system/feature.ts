import type { Feature } from "../../feature.ts";
import { systemRoutes } from "./routes.ts";
import { SystemFigures } from "./system.ts";

/** What the operator sees of the installation itself: its processes, queues and database. */
export const system: Feature = {
  name: "system",
  build: (app, { version, kinds }) => ({ routes: systemRoutes(new SystemFigures(app, { version, kinds })) }),
};
