import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { systemQuery } from "../../api/queries/operator.ts";
import { appRoute, requireOperator } from "../../app-route.tsx";

export const systemRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "operator/system",
  beforeLoad: requireOperator,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(systemQuery),
  component: lazyRouteComponent(() => import("./page.tsx"), "SystemPage"),
});
