import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { conversationQuery, conversationsQuery, threadQuery } from "../../api/queries/conversations.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { askedOf, conversationsSearch } from "./search.ts";

export const conversationsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "conversations",
  validateSearch: conversationsSearch,
  loaderDeps: ({ search }) => askedOf(search),
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(conversationsQuery(deps)),
  component: lazyRouteComponent(() => import("./page.tsx"), "ConversationsPage"),
});

export const conversationRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "conversations/$contact/$number",
  validateSearch: conversationsSearch,
  loader: ({ context: { queryClient }, params: { contact, number } }) => {
    void queryClient.prefetchQuery(conversationQuery(contact, number));
    void queryClient.prefetchInfiniteQuery(threadQuery(contact, number));
  },
  component: lazyRouteComponent(() => import("./page.tsx"), "ConversationPage"),
});
