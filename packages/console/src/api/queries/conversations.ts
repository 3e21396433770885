import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Query } from "@waypost/sdk";
import { waypost } from "../client.ts";
import { inTurns } from "../in-turns.ts";
import { KEYS, PAGE_SIZE } from "./keys.ts";

export type ConversationFilters = Omit<Query<"conversations.list">, "limit">;

export const conversationsQuery = (filters: ConversationFilters) =>
  queryOptions({
    queryKey: [...KEYS.conversations, "list", filters],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await waypost.conversations.list({ ...filters, limit: PAGE_SIZE }, { signal });
      return { data: [...data], nextCursor };
    },
    placeholderData: keepPreviousData,
  });

/** The conversation of a person on a number; null before the first message. */
export const conversationQuery = (contact: string, number: string) =>
  queryOptions({
    queryKey: [...KEYS.conversations, "one", contact, number],
    queryFn: async ({ signal }) => {
      const only = { contact_id: contact, phone_number_id: number, limit: 1 };
      return (await waypost.conversations.list(only, { signal })).data[0] ?? null;
    },
  });

/** Its messages, the newest page first, each newest first. */
export const threadQuery = (contact: string, number: string) =>
  infiniteQueryOptions({
    queryKey: [...KEYS.conversations, "thread", contact, number],
    queryFn: async ({ pageParam, signal }) => {
      const place = pageParam === null ? {} : { cursor: pageParam };
      const query = { phone_number_id: number, limit: PAGE_SIZE, ...place };
      const { data, nextCursor } = await waypost.conversations.listMessages(contact, query, { signal });
      return { data: [...data], nextCursor };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** A file is fetched from the provider within seconds. */
const PENDING_EVERY_MS = 3_000;

/** What a message has a file of. */
export const mediaQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.media, id],
    queryFn: ({ signal }) => waypost.media.get(id, { signal }),
    staleTime: Infinity,
    retry: false,
    refetchInterval: ({ state: { data } }) => (data?.status === "pending" ? PENDING_EVERY_MS : false),
  });

/** A thread may come into view with a page of pictures, and a browser has six connections for all that it asks. */
const takesTurn = inTurns(3);

/** The bytes of a file; kept while it is on the page. They never change, so that no event reads them again. */
export const mediaBytesQuery = (id: string) =>
  queryOptions({
    queryKey: ["media-bytes", id],
    queryFn: ({ signal }) => takesTurn(async () => await (await waypost.media.content(id, { signal })).blob(), signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
