import { queryOptions } from "@tanstack/react-query";
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
