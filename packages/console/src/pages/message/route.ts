import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { messageQuery } from "../../api/queries/messages.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { oneOf, searchOf } from "../../search.ts";
import { TABS } from "./route-tabs.ts";

const messageSearch = searchOf({ tab: oneOf(TABS) });

export const messageRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "messages/$id",
  validateSearch: messageSearch,
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(messageQuery(id)),
  component: lazyRouteComponent(() => import("./page.tsx"), "MessagePage"),
});
