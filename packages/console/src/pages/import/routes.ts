import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { importQuery, importsQuery } from "../../api/queries/imports.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { importSearch } from "./search.ts";

export const newImportRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "contacts/import",
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(importsQuery),
  component: lazyRouteComponent(() => import("./NewImportPage.tsx"), "NewImportPage"),
});

export const importRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "contacts/imports/$id",
  validateSearch: importSearch,
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(importQuery(id)),
  component: lazyRouteComponent(() => import("./ImportPage.tsx"), "ImportPage"),
});
