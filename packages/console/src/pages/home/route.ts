import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "../../app-route.tsx";
import { oneOf, searchOf } from "../../search.ts";
import { RANGES } from "./ranges.ts";

export const homeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "/",
  validateSearch: searchOf({ range: oneOf(RANGES) }),
  component: lazyRouteComponent(() => import("./page.tsx"), "HomePage"),
});
