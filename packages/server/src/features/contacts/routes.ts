import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { getContact, listContacts } from "./contact.ts";
import { Contact, ContactList, ContactListQuery } from "./schema.ts";

const READ = { tag: "Contacts", auth: "workspace", scope: "contacts:read" } as const;

export const CONTACT_ROUTES: readonly AnyRoute[] = [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/contacts",
    summary: "List contacts",
    description:
      "Newest first. One person is one contact, whatever their number is written like; `phone` finds it by every form.",
    action: "contact.list",
    query: ContactListQuery,
    status: 200,
    response: ContactList,
    verb: listContacts,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/contacts/{id}",
    summary: "Get a contact",
    description:
      "When two records turn out to be one person they are merged: both ids return the surviving contact, whose `id` is in the response.",
    action: "contact.read",
    params: idParams("con"),
    status: 200,
    response: Contact,
    verb: getContact,
  }),
];
