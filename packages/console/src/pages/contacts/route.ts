import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { contactsQuery } from "../../api/queries/contacts.ts";
import { workspaceRoute } from "../../app-route.tsx";
import { askedOf, contactsSearch } from "./search.ts";

export const contactsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: "contacts",
  validateSearch: contactsSearch,
  loaderDeps: ({ search }) => askedOf(search),
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(contactsQuery(deps)),
  component: lazyRouteComponent(() => import("./page.tsx"), "ContactsPage"),
});
