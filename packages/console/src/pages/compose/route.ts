import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { sendableTemplatesQuery } from "../../api/queries/templates.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { composeSearch } from "./search.ts";

export const composeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "messages/new",
  validateSearch: composeSearch,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(sendableTemplatesQuery),
  component: lazyRouteComponent(() => import("./page.tsx"), "ComposePage"),
});
