import { queryOptions } from "@tanstack/react-query";
import { waypost } from "../client.ts";

const MOST_ENDPOINTS = 100;

/** All endpoints of the workspace: it has a hundred at most. */
export const endpointsQuery = queryOptions({
  queryKey: ["endpoints", "list"],
  queryFn: async ({ signal }) => [...(await waypost.webhookEndpoints.list({ limit: MOST_ENDPOINTS }, { signal })).data],
});

export const deliveriesQuery = (messageId: string) =>
  queryOptions({
    queryKey: ["deliveries", messageId],
    queryFn: async ({ signal }) => [
      ...(await waypost.deliveries.list({ message_id: messageId, limit: 100 }, { signal })).data,
    ],
  });
