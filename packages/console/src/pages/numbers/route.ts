import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { accountsQuery, numbersQuery } from "../../api/queries/numbers.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { numbersSearch } from "./search.ts";

export const numbersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "numbers",
  validateSearch: numbersSearch,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(numbersQuery);
    void queryClient.prefetchQuery(accountsQuery);
  },
  component: lazyRouteComponent(() => import("./page.tsx"), "NumbersPage"),
});
