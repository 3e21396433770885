import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { workspacesQuery } from "../../api/queries/operator.ts";
import { appRoute } from "../../app-route.tsx";
import { searchOf, text } from "../../search.ts";

const workspacesSearch = searchOf({ cursor: text });

export const workspacesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: "operator/workspaces",
  validateSearch: workspacesSearch,
  loaderDeps: ({ search }) => search,
  beforeLoad: ({ context: { session } }) => {
    if (session.kind !== "operator") throw redirect({ to: "/", replace: true });
  },
  loader: ({ context: { queryClient }, deps: { cursor } }) => void queryClient.prefetchQuery(workspacesQuery(cursor)),
  component: lazyRouteComponent(() => import("./page.tsx"), "WorkspacesPage"),
});
