import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspacesQuery } from "../../api/queries/operator.ts";
import { appRoute, requireOperator } from "../../app-route.tsx";
import { workspacesSearch } from "./search.ts";

export const workspacesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "operator/workspaces",
  validateSearch: workspacesSearch,
  loaderDeps: ({ search: { cursor } }) => ({ cursor }),
  beforeLoad: requireOperator,
  loader: ({ context: { queryClient }, deps: { cursor } }) => void queryClient.prefetchQuery(workspacesQuery(cursor)),
  component: lazyRouteComponent(() => import("./page.tsx"), "WorkspacesPage"),
});
