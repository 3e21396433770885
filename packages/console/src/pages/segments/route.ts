import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { segmentsQuery } from "../../api/queries/segments.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { segmentsSearch } from "./search.ts";

export const segmentsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "segments",
  validateSearch: segmentsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { cursor } }) => void queryClient.prefetchQuery(segmentsQuery(cursor)),
  component: lazyRouteComponent(() => import("./page.tsx"), "SegmentsPage"),
});
