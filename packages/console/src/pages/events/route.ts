import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "../../app-route.tsx";
import { eventsSearch } from "./search.ts";

export const eventsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "events",
  validateSearch: eventsSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "EventsPage"),
});
