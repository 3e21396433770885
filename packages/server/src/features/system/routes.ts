import { type AnyRoute, route } from "../../http/route.ts";
import { System } from "./schema.ts";
import type { SystemFigures } from "./system.ts";

export const systemRoutes = (figures: SystemFigures): readonly AnyRoute[] => [
  route({
    tag: "Operator",
    auth: "operator",
    // Its tables are of no workspace, and each is read by itself.
    kind: "own",
    method: "GET",
    path: "/admin/v1/system",
    summary: "Get the state of the installation",
    description:
      "The processes that run, how their work is shared, how long the oldest work has waited, and the database. At most five seconds old, the size of the database a minute. Metrics for alarms are at `METRICS_PORT`.",
    operationId: "system.get",
    action: "system.read",
    status: 200,
    response: System,
    verb: async function getSystem() {
      return { body: await figures.read(), unaudited: true };
    },
  }),
];
