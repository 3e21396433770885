import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { operator } from "../client.ts";
import { PAGE_SIZE } from "./keys.ts";

export const workspacesQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ["workspaces", "list", cursor],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await operator.workspaces.list(pageAt(cursor), { signal });
      return { data: [...data], nextCursor };
    },
  });

export const workspaceQuery = (id: string) =>
  queryOptions({
    queryKey: ["workspaces", "one", id],
    queryFn: ({ signal }) => operator.workspaces.get(id, { signal }),
  });

export const workspaceKeysQuery = (id: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ["workspaces", "keys", id, cursor],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await operator.workspaces.listApiKeys(id, pageAt(cursor), { signal });
      return { data: [...data], nextCursor };
    },
    placeholderData: keepPreviousData,
  });

const pageAt = (cursor: string | undefined) => ({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) });

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

export const quarantinedQuery = (id: string) =>
  queryOptions({
    queryKey: ["quarantine", "one", id],
    queryFn: ({ signal }) => operator.quarantine.get(id, { signal }),
  });
