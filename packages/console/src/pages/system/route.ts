import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { systemQuery } from "../../api/queries/operator.ts";
import { appRoute } from "../../app-route.tsx";

export const systemRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "operator/system",
  beforeLoad: ({ context: { session } }) => {
    if (session.kind !== "operator") throw redirect({ to: "/", replace: true });
  },
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(systemQuery),
  component: lazyRouteComponent(() => import("./page.tsx"), "SystemPage"),
});
