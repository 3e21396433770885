import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, type Contact, type Query } from "@waypost/sdk";
import { waypost } from "../client.ts";
import { KEYS, PAGE_SIZE } from "./keys.ts";

export type ContactFilters = Omit<Query<"contacts.list">, "limit" | "sort" | "updated_after">;

export const contactsQuery = (filters: ContactFilters) =>
  queryOptions({
    queryKey: ["contacts", "list", filters],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await waypost.contacts.list({ ...filters, limit: PAGE_SIZE }, { signal });
      // Those that are gone come only in the order of changes.
      return { data: data.filter((one): one is Contact => !("deleted" in one)), nextCursor };
    },
    placeholderData: keepPreviousData,
  });

export const tagsQuery = queryOptions({
  queryKey: ["contacts", "tags"],
  queryFn: async ({ signal }) => (await waypost.contacts.listTags({ signal })).data,
  staleTime: 60_000,
});

/** A contact with its version, for `ifMatch`. */
export type VersionedContact = { contact: Contact; etag: string | null };

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.contact, id],
    queryFn: async ({ signal }) => versionedContact(await waypost.contacts.get(id, { signal })),
  });

export const versionedContact = (contact: Contact): VersionedContact => ({
  contact,
  etag: answerOf(contact)?.etag ?? null,
});
