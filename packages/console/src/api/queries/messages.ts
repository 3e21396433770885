import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Query } from "@waypost/sdk";
import { waypost } from "../client.ts";
import { KEYS, PAGE_SIZE } from "./keys.ts";

export type MessageFilters = Omit<Query<"messages.list">, "limit">;

export const messagesQuery = (filters: MessageFilters) =>
  queryOptions({
    queryKey: [...KEYS.messageList, filters],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await waypost.messages.list({ ...filters, limit: PAGE_SIZE }, { signal });
      return { data: [...data], nextCursor };
    },
    placeholderData: keepPreviousData,
  });

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.message, id],
    queryFn: ({ signal }) => waypost.messages.get(id, { signal }),
  });

/** `state`: what of the message the answer depends on. */
export const messageAtProviderQuery = (id: string, state: string) =>
  queryOptions({
    queryKey: [...KEYS.message, id, "provider", state],
    queryFn: ({ signal }) => waypost.messages.getProvider(id, { signal }),
    placeholderData: keepPreviousData,
  });
