import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceRoute } from "../../app-route.tsx";
import { oneOf, searchOf } from "../../search.ts";
import { RANGES } from "../home/ranges.ts";

const failuresSearch = searchOf({ range: oneOf(RANGES) });

export const failuresRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "failures",
  validateSearch: failuresSearch,
  component: lazyRouteComponent(() => import("./page.tsx"), "FailuresPage"),
});
