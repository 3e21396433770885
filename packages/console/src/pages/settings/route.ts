import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ownWorkspaceQuery } from "../../api/queries/settings.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { settingsSearch } from "./search.ts";

export const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "settings",
  validateSearch: settingsSearch,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(ownWorkspaceQuery),
  component: lazyRouteComponent(() => import("./page.tsx"), "SettingsPage"),
});
