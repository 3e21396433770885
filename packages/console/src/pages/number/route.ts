import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { healthQuery, numberQuery } from "../../api/queries/numbers.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { numberSearch } from "./search.ts";

export const numberRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "numbers/$id",
  validateSearch: numberSearch,
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(numberQuery(id));
    void queryClient.prefetchQuery(healthQuery(id));
  },
  component: lazyRouteComponent(() => import("./page.tsx"), "NumberPage"),
});
