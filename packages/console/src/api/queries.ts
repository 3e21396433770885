import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Query } from "@waypost/sdk";
import { operator, waypost } from "./client.ts";

/** The first parts of query keys, by which what changes is found. */
export const KEYS = { messageList: ["messages", "list"], message: ["messages", "one"], metrics: ["metrics"] } as const;

export type MessageFilters = Omit<Query<"messages.list">, "limit">;

const PAGE_SIZE = 50;

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

/** The template that a message was sent by, as it is now; null when there is none any more. */
export const templateQuery = (name: string, language: string) =>
  queryOptions({
    queryKey: ["templates", name, language],
    queryFn: async ({ signal }) => {
      const { data } = await waypost.templates.list({ name, language, limit: 1 }, { signal });
      return data[0] ?? null;
    },
    staleTime: 60_000,
  });

export const deliveriesQuery = (messageId: string) =>
  queryOptions({
    queryKey: ["deliveries", messageId],
    queryFn: async ({ signal }) => [
      ...(await waypost.deliveries.list({ message_id: messageId, limit: 100 }, { signal })).data,
    ],
  });

export const metricsQuery = (range: { at_after: string; at_before?: string; interval: "5m" | "1h" | "1d" }) =>
  queryOptions({
    queryKey: [...KEYS.metrics, range],
    queryFn: ({ signal }) => waypost.metrics.messages({ ...range, group_by: "status" }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });

export const accountsQuery = queryOptions({
  queryKey: ["accounts"],
  queryFn: async ({ signal }) => [...(await waypost.businessAccounts.list({ limit: 100 }, { signal })).data],
});

export const workspacesQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["workspaces", cursor],
    queryFn: async ({ signal }) => {
      const query = cursor === undefined ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, cursor };
      const { data, nextCursor } = await operator.workspaces.list(query, { signal });
      return { data: [...data], nextCursor };
    },
  });
