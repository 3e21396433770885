import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { signupQuery } from "../../api/queries/numbers.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { signupSearch } from "./search.ts";

export const signupRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "signups/$id",
  validateSearch: signupSearch,
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(signupQuery(id)),
  component: lazyRouteComponent(() => import("./page.tsx"), "SignupPage"),
});
