import { Type } from "typebox";
import { idParams } from "../../../http/ids.ts";
import { type AnyRoute, route } from "../../../http/route.ts";
import { ListSetupLinks, NewSetupLink, SetupLink, SetupLinkInput, SetupLinkList } from "./schema.ts";
import { createSetupLink, deleteSetupLink, getSetupLink, listSetupLinks } from "./setup-link.ts";

const READ = { tag: "Accounts", auth: "workspace", scope: "accounts:read" } as const;
const WRITE = { tag: "Accounts", auth: "workspace", scope: "accounts:write" } as const;

export const setupLinkRoutes = (isDevelopment: boolean): AnyRoute[] => [
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/setup-links",
    summary: "Create a setup link",
    description:
      "Returns an address at which a client without an API key or access to the console connects an account to this workspace by the provider's dialog. Opening it changes nothing, so previews of links in chats do no harm; it is used when an account is connected by it. Until then the client may open it again and goes on where the signup stands. Returns 409 `conflict` if the operator has not set up the dialog or https, or if 500 links are open.",
    action: "setup_link.create",
    body: SetupLinkInput,
    bodyOptional: true,
    status: 201,
    response: NewSetupLink,
    errors: ["conflict"],
    verb: function createOneSetupLink(ctx, input) {
      return createSetupLink(ctx, input, isDevelopment);
    },
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/setup-links",
    summary: "List setup links",
    description: "Newest first, including those that are over. A link can be read for 60 days.",
    action: "setup_link.list",
    query: ListSetupLinks,
    status: 200,
    response: SetupLinkList,
    verb: listSetupLinks,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/setup-links/{id}",
    summary: "Get a setup link",
    description: "The address of a link is returned only when it is created. A link can be read for 60 days.",
    action: "setup_link.read",
    params: idParams("stl"),
    status: 200,
    response: SetupLink,
    verb: getSetupLink,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "DELETE",
    path: "/v1/setup-links/{id}",
    summary: "Revoke a setup link",
    description:
      "Its page does nothing from now on. A signup that was begun goes on, and an account that was connected stays connected.",
    action: "setup_link.delete",
    params: idParams("stl"),
    status: 204,
    response: Type.Null(),
    verb: deleteSetupLink,
  }),
];
