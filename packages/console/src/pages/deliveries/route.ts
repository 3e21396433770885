import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { deliveryListQuery } from "../../api/queries/webhooks.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { askedOf, deliveriesSearch } from "./search.ts";

export const deliveriesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "deliveries",
  validateSearch: deliveriesSearch,
  loaderDeps: ({ search }) => askedOf(search),
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(deliveryListQuery(deps)),
  component: lazyRouteComponent(() => import("./page.tsx"), "DeliveriesPage"),
});
