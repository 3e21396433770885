import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { templateByIdQuery } from "../../api/queries/templates.ts";
import { workspaceRoute } from "../../app-route.tsx";

export const templateRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "templates/$id",
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(templateByIdQuery(id)),
  component: lazyRouteComponent(() => import("./page.tsx"), "TemplatePage"),
});

export const newTemplateRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "templates/new",
  component: lazyRouteComponent(() => import("./builder-pages.tsx"), "NewTemplatePage"),
});

export const editTemplateRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "templates/$id/edit",
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(templateByIdQuery(id)),
  component: lazyRouteComponent(() => import("./builder-pages.tsx"), "EditTemplatePage"),
});
