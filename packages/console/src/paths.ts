import { linkOptions } from "@tanstack/react-router";
import type { EndpointsSearch } from "./pages/endpoints/search.ts";
import type { MessagesSearch } from "./pages/messages/search.ts";

/** Every link of the console is made here; spread one into `<Link>` or `navigate`. */
export const paths = {
  home: () => linkOptions({ to: "/" }),
  messages: (search: MessagesSearch = {}) => linkOptions({ to: "/messages", search }),
  message: (id: string) => linkOptions({ to: "/messages/$id", params: { id } }),
  endpoints: (search: EndpointsSearch = {}) => linkOptions({ to: "/endpoints", search }),
  workspaces: () => linkOptions({ to: "/operator/workspaces" }),
  signIn: (to?: string) => linkOptions({ to: "/sign-in", search: to === undefined ? {} : { to } }),
};
