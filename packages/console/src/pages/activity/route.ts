import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { activityQuery } from "../../api/queries/settings.ts";
import { appRoute, requireOperator, workspaceRoute } from "../../app-route.tsx";
import { activitySearch, askedOf } from "./search.ts";

export const activityRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "activity",
  validateSearch: activitySearch,
  loaderDeps: ({ search }) => askedOf(search),
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(activityQuery(deps, false)),
  component: lazyRouteComponent(() => import("./page.tsx"), "ActivityPage"),
});

/** The same of the operator's own calls. */
export const operatorAuditRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "operator/audit",
  validateSearch: activitySearch,
  loaderDeps: ({ search }) => askedOf(search),
  beforeLoad: requireOperator,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(activityQuery(deps, true)),
  component: lazyRouteComponent(() => import("./page.tsx"), "OperatorAuditPage"),
});
