import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { deliveryQuery } from "../../api/queries/webhooks.ts";
import { workspaceRoute } from "../../app-route.tsx";

export const deliveryRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "deliveries/$id",
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(deliveryQuery(id)),
  component: lazyRouteComponent(() => import("./page.tsx"), "DeliveryPage"),
});
