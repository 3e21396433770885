import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { type Session, sessionQuery } from "./api/session.ts";
import { Problem } from "./parts/Problem.tsx";
import { Bare } from "./shell/Bare.tsx";
import { Missing } from "./shell/Missing.tsx";
import { Shell } from "./shell/Shell.tsx";

export type RouterContext = { queryClient: QueryClient };

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: Missing,
  errorComponent: ({ error, reset }) => (
    <Bare>
      <Problem error={error} retry={reset} />
    </Bare>
  ),
});

/** Parent of every page that needs a session. Its context has the session, so that pages need not ask whether there is one. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "app",
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) {
      const to = `${location.pathname}${location.searchStr}`;
      throw redirect({ to: "/sign-in", search: to === "/" ? {} : { to }, replace: true });
    }
    return { session };
  },
  component: Shell,
});

/** Parent of the pages of a workspace; an operator who is in none is led to the list of them. */
export const workspaceRoute = createRoute({
  getParentRoute: () => appRoute,
  id: "workspace",
  beforeLoad: ({ context: { session } }) => {
    if (session.workspace === null) throw redirect({ to: "/operator/workspaces", replace: true });
  },
});

/** `beforeLoad` of the operator's own pages. */
export function requireOperator({ context: { session } }: { context: { session: Session } }): void {
  if (session.kind !== "operator") throw redirect({ to: "/", replace: true });
}
