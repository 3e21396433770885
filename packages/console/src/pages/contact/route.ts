import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { contactQuery } from "../../api/queries/contacts.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { contactSearch } from "./search.ts";

export const contactRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "contacts/$id",
  validateSearch: contactSearch,
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(contactQuery(id)),
  component: lazyRouteComponent(() => import("./page.tsx"), "ContactPage"),
});
