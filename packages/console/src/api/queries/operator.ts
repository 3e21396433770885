import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { operator } from "../client.ts";
import { PAGE_SIZE } from "./keys.ts";

export const workspacesQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["workspaces", cursor],
    queryFn: async ({ signal }) => {
      const query = cursor === undefined ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, cursor };
      const { data, nextCursor } = await operator.workspaces.list(query, { signal });
      return { data: [...data], nextCursor };
    },
  });

const WATCHED_MS = 5_000;

/** Read again while the page is open. */
export const systemQuery = queryOptions({
  queryKey: ["system"],
  queryFn: ({ signal }) => operator.system.get({ signal }),
  refetchInterval: WATCHED_MS,
});

export const quarantineQuery = (filters: { reason?: string; cursor?: string }) =>
  queryOptions({
    queryKey: ["quarantine", filters],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await operator.quarantine.list({ ...filters, limit: PAGE_SIZE }, { signal });
      return { data: [...data], nextCursor };
    },
    placeholderData: keepPreviousData,
  });
