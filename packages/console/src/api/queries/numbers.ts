import { queryOptions } from "@tanstack/react-query";
import { waypost } from "../client.ts";

export const accountsQuery = queryOptions({
  queryKey: ["accounts"],
  queryFn: async ({ signal }) => [...(await waypost.businessAccounts.list({ limit: 100 }, { signal })).data],
});

export const numbersQuery = queryOptions({
  queryKey: ["numbers"],
  queryFn: async ({ signal }) => [...(await waypost.phoneNumbers.list({ limit: 100 }, { signal })).data],
});
