import { Type } from "typebox";
import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { hintDeliveries } from "../events/event.ts";
import type { IdentityResolver } from "../identity/resolver.ts";
import { upsertContacts } from "./batch.ts";
import { getContact } from "./contact.ts";
import { deleteContact, eraseAtOnce, resolveWaiting } from "./erase.ts";
import type { Erasure } from "./erasure.ts";
import { cellsOf, EXPORT_COLUMNS, exportContacts } from "./export.ts";
import { listContacts } from "./list.ts";
import { mergeContact } from "./merge.ts";
import {
  AddTags,
  Contact,
  ContactBatch,
  ContactBatchResult,
  ContactChange,
  ContactExportQuery,
  ContactList,
  ContactListQuery,
  CreateQuery,
  MergeContact,
  NewContact,
  TagInPath,
  TagList,
} from "./schema.ts";
import { listTags } from "./tags.ts";
import { addTags, createContact, removeTag, updateContact } from "./write.ts";

/** As of every `/batch` (4 MiB). */
const LARGEST_BATCH = 4 * 1024 * 1024;

const WRITE = { tag: "Contacts", auth: "workspace", scope: "contacts:write", limitedKeys: "all" } as const;
const READ = { tag: "Contacts", auth: "workspace", scope: "contacts:read", limitedKeys: "all" } as const;

export const CONTACT_ROUTES: readonly AnyRoute[] = [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/contacts",
    searches: true,
    summary: "List contacts",
    description:
      "Newest first. All filters have to fit. A page may have fewer contacts than its limit, or none, where few fit: follow `next_cursor` until it is null. With `sort=updated_at` contacts come in the order of their last changes, oldest first: keep the `next_cursor` of the last page, which is always there, and ask again with it for what has changed since. A contact that changes again comes again; of one that was erased or merged its id comes with `deleted`, whatever the filters. One that no longer fits a filter does not come: who keeps a copy asks without filters.",
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
    path: "/v1/contacts/tags",
    searches: true,
    summary: "List tags",
    description: "The names of the tags that contacts have, and how many have each, the most frequent first.",
    operationId: "contacts.listTags",
    action: "contact_tag.list",
    status: 200,
    response: TagList,
    verb: listTags,
  }),
  route({
    ...READ,
    kind: "rows",
    method: "GET",
    path: "/v1/contacts/export",
    summary: "Export contacts",
    description:
      "All contacts that the list would have, newest first, with the same filters: CSV, or NDJSON with `Accept: application/x-ndjson`. An import takes the same file back: without changes it changes nothing. In CSV `tags` are separated by `;` (a JSON array where a tag has one itself), `attributes` is a JSON object, and `'` is put before a cell that a spreadsheet would take for a formula; numbers such as `+15551230001` stay as they are. A reader that takes nothing for 30 s, or less than 256 KiB within a minute while more is ready, is cut off, and an answer that ends without its last chunk is not complete. Of the streams of a process a workspace has two at once: more is 429, or 503 while others use all.",
    action: "contact.export",
    query: ContactExportQuery,
    status: 200,
    response: Contact,
    rows: { columns: EXPORT_COLUMNS, cells: cellsOf, pages: exportContacts },
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
    etag: true,
    verb: getContact,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/contacts",
    summary: "Create a contact",
    description:
      "The number is that of one person, however it is written: where that person is a contact already, the answer is 409 `contact_exists` with the contact's id, or with `on_conflict=update` 200 and the changed contact.",
    action: "contact.create",
    query: CreateQuery,
    body: NewContact,
    status: 201,
    otherStatuses: [200],
    response: Contact,
    errors: ["contact_exists", "invalid_phone_number"],
    etag: true,
    verb: createContact,
    after: hintDeliveries,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/contacts/batch",
    summary: "Create or update up to 1,000 contacts",
    description:
      "Each is created or changed as by `POST /v1/contacts?on_conflict=update`, all in one transaction; one that is refused has its own error and holds back no other.",
    action: "contact.upsert",
    body: ContactBatch,
    each: "contacts",
    maxBytes: LARGEST_BATCH,
    status: 200,
    response: ContactBatchResult,
    verb: upsertContacts,
    after: hintDeliveries,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "PATCH",
    path: "/v1/contacts/{id}",
    summary: "Update a contact",
    description: "Changes what is given; attributes are merged one by one. What is already so is no change.",
    action: "contact.update",
    params: idParams("con"),
    body: ContactChange,
    status: 200,
    response: Contact,
    errors: ["precondition_failed"],
    etag: true,
    verb: updateContact,
    after: hintDeliveries,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/contacts/{id}/tags",
    summary: "Add tags to a contact",
    description: "Tags that it has already stay as they are.",
    action: "contact.add_tags",
    params: idParams("con"),
    body: AddTags,
    status: 200,
    response: Contact,
    errors: ["precondition_failed"],
    etag: true,
    verb: addTags,
    after: hintDeliveries,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "DELETE",
    path: "/v1/contacts/{id}/tags/{tag}",
    summary: "Remove a tag from a contact",
    description: "Returns the contact, also if it did not have the tag.",
    action: "contact.remove_tag",
    params: Type.Object({ ...idParams("con").properties, tag: TagInPath }),
    status: 200,
    response: Contact,
    errors: ["precondition_failed"],
    etag: true,
    verb: removeTag,
    after: hintDeliveries,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/contacts/{id}/merge",
    summary: "Merge two contacts",
    description:
      "Two records of one person become the contact of the path, and both ids return it from then on. Its own values count, those that it lacks are the other's; tags are united, and an opt-out of either counts. Windows are joined, and messages that wait for either keep their order. Contacts that are one already are returned as they are. Returns 409 `conflict` where the provider knows them as two people, because each has a valid user id of its own.",
    action: "contact.merge",
    params: idParams("con"),
    body: MergeContact,
    status: 200,
    response: Contact,
    errors: ["conflict", "reference_not_found", "precondition_failed"],
    etag: true,
    verb: mergeContact,
    after: hintDeliveries,
  }),
];

export const eraseRoute = (identityResolver: IdentityResolver, erasure: Erasure): AnyRoute =>
  route({
    ...WRITE,
    kind: "write",
    method: "DELETE",
    path: "/v1/contacts/{id}",
    summary: "Erase a contact",
    description:
      "Erases the person: the contact with every record that was merged into it, and what was in their messages and events, at once and for every reader. Messages that wait to be sent are canceled. What is left of a message is its id, times and status, with `to` or `from` and its content null; it is billed and counted as before. A person who writes again is a new contact. What is kept elsewhere, and for how long, is in docs/privacy.md.",
    action: "contact.delete",
    params: idParams("con"),
    status: 204,
    response: Type.Null(),
    errors: ["precondition_failed"],
    before: (ctx) => resolveWaiting(ctx, identityResolver),
    verb: function deleteOneContact(ctx, input) {
      return deleteContact(ctx, input, erasure);
    },
    after: (ctx, answer) => eraseAtOnce(ctx, answer, erasure),
  });
