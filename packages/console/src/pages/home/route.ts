import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "../../app-route.tsx";
import { homeSearch } from "./search.ts";

export const homeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/",
  validateSearch: homeSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "HomePage"),
});
