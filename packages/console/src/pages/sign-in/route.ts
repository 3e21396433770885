import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app-route.tsx";
import { path, searchOf } from "../../search.ts";

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "sign-in",
  validateSearch: searchOf({ to: path }),
  component: lazyRouteComponent(() => import("./page.tsx"), "SignInPage"),
});
