import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { quarantineQuery } from "../../api/queries/operator.ts";
import { appRoute, requireOperator } from "../../app-route.tsx";
import { quarantineSearch } from "./search.ts";

export const quarantineRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "operator/quarantine",
  validateSearch: quarantineSearch,
  loaderDeps: ({ search: { open: _open, ...list } }) => list,
  beforeLoad: requireOperator,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(quarantineQuery(deps)),
  component: lazyRouteComponent(() => import("./page.tsx"), "QuarantinePage"),
});
