import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { endpointsQuery } from "../../api/queries/webhooks.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { endpointsSearch } from "./search.ts";

export const endpointsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "endpoints",
  validateSearch: endpointsSearch,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(endpointsQuery),
  component: lazyRouteComponent(() => import("./page.tsx"), "EndpointsPage"),
});
