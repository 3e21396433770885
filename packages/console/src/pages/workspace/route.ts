import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { workspaceKeysQuery, workspaceQuery } from "../../api/queries/operator.ts";
import { appRoute, requireOperator } from "../../app-route.tsx";
import { workspaceSearch } from "./search.ts";

export const operatorWorkspaceRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "operator/workspaces/$id",
  validateSearch: workspaceSearch,
  loaderDeps: ({ search: { cursor } }) => ({ cursor }),
  beforeLoad: requireOperator,
  loader: ({ context: { queryClient }, params: { id }, deps: { cursor } }) => {
    void queryClient.prefetchQuery(workspaceQuery(id));
    void queryClient.prefetchQuery(workspaceKeysQuery(id, cursor));
  },
  component: lazyRouteComponent(() => import("./page.tsx"), "WorkspacePage"),
});
