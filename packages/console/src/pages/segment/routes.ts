import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { segmentQuery } from "../../api/queries/segments.ts";
import { workspaceRoute } from "../../app-route.tsx";

export const newSegmentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "segments/new",
  component: lazyRouteComponent(() => import("./pages.tsx"), "NewSegmentPage"),
});

export const segmentRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "segments/$id",
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(segmentQuery(id)),
  component: lazyRouteComponent(() => import("./pages.tsx"), "SegmentPage"),
});
