import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Query, SendMessage } from "@waypost/sdk";
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

/** Whether the message would be accepted now; nothing is sent by it. */
export const validationQuery = (body: SendMessage) =>
  queryOptions({
    queryKey: ["validation", body],
    queryFn: ({ signal }) => waypost.messages.validate(body, { signal }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
