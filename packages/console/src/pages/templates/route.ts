import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { templatesQuery } from "../../api/queries/templates.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { templatesSearch } from "./search.ts";

export const templatesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "templates",
  validateSearch: templatesSearch,
  loaderDeps: ({ search: { name: _name, ...filters } }) => filters,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(templatesQuery(deps)),
  component: lazyRouteComponent(() => import("./page.tsx"), "TemplatesPage"),
});
