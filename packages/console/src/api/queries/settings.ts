import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Query } from "@waypost/sdk";
import { operator, waypost } from "../client.ts";
import { PAGE_SIZE } from "./keys.ts";

export const ownWorkspaceQuery = queryOptions({
  queryKey: ["workspace"],
  queryFn: ({ signal }) => waypost.workspace.get({ signal }),
});

export const apiKeysQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["api-keys", cursor],
    queryFn: async ({ signal }) => {
      const query = cursor === undefined ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, cursor };
      const { data, nextCursor } = await waypost.apiKeys.list(query, { signal });
      return { data: [...data], nextCursor };
    },
    placeholderData: keepPreviousData,
  });

export type ActivityFilters = Omit<Query<"audit.listActivity">, "limit">;

/** Calls of the workspace; of the operator's API where `isOperator`. */
export const activityQuery = (filters: ActivityFilters, isOperator: boolean) =>
  queryOptions({
    queryKey: ["activity", isOperator, filters],
    queryFn: async ({ signal }) => {
      const query = { ...filters, limit: PAGE_SIZE };
      const { data, nextCursor } = isOperator
        ? await operator.audit.list(query, { signal })
        : await waypost.audit.listActivity(query, { signal });
      return { data: [...data], nextCursor };
    },
    placeholderData: keepPreviousData,
  });
