import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { accountsQuery, numbersQuery } from "../../api/queries/numbers.ts";
import { workspaceRoute } from "../../app-route.tsx";

export const numbersRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "numbers",
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(numbersQuery);
    void queryClient.prefetchQuery(accountsQuery);
  },
  component: lazyRouteComponent(() => import("./page.tsx"), "NumbersPage"),
});
