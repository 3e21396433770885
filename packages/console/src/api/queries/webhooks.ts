import { queryOptions } from "@tanstack/react-query";
import { waypost } from "../client.ts";

export const deliveriesQuery = (messageId: string) =>
  queryOptions({
    queryKey: ["deliveries", messageId],
    queryFn: async ({ signal }) => [
      ...(await waypost.deliveries.list({ message_id: messageId, limit: 100 }, { signal })).data,
    ],
  });
