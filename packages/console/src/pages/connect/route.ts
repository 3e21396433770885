import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signupConfigQuery } from "../../api/queries/numbers.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { connectSearch } from "./search.ts";

export const connectRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "numbers/connect",
  validateSearch: connectSearch,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(signupConfigQuery),
  component: lazyRouteComponent(() => import("./page.tsx"), "ConnectPage"),
});
