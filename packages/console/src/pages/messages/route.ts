import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { messagesQuery } from "../../api/queries/messages.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { askedOf, messagesSearch } from "./search.ts";

export const messagesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "messages",
  validateSearch: messagesSearch,
  loaderDeps: ({ search }) => askedOf(search),
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(messagesQuery(deps)),
  component: lazyRouteComponent(() => import("./page.tsx"), "MessagesPage"),
});
