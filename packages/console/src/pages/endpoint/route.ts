import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { endpointQuery } from "../../api/queries/webhooks.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { endpointSearch } from "./search.ts";

export const endpointRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "endpoints/$id",
  validateSearch: endpointSearch,
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(endpointQuery(id)),
  component: lazyRouteComponent(() => import("./page.tsx"), "EndpointPage"),
});
