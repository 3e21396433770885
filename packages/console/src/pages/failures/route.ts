import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "../../app-route.tsx";
import { homeSearch } from "../home/search.ts";

export const failuresRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "failures",
  validateSearch: homeSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "FailuresPage"),
});
