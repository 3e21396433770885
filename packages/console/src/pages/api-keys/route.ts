import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { apiKeysQuery } from "../../api/queries/settings.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { apiKeysSearch } from "./search.ts";

export const apiKeysRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "settings/keys",
  validateSearch: apiKeysSearch,
  loaderDeps: ({ search: { cursor } }) => ({ cursor }),
  loader: ({ context: { queryClient }, deps: { cursor } }) => void queryClient.prefetchQuery(apiKeysQuery(cursor)),
  component: lazyRouteComponent(() => import("./page.tsx"), "ApiKeysPage"),
});
