import { queryOptions } from "@tanstack/react-query";
import { waypost } from "../client.ts";
import { KEYS, PAGE_SIZE } from "./keys.ts";

export const accountsQuery = queryOptions({
  queryKey: KEYS.accounts,
  queryFn: async ({ signal }) => [...(await waypost.businessAccounts.list({ limit: 100 }, { signal })).data],
});

export const numbersQuery = queryOptions({
  queryKey: KEYS.numbers,
  queryFn: async ({ signal }) => [...(await waypost.phoneNumbers.list({ limit: 100 }, { signal })).data],
});

export const numberQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.numbers, "one", id],
    queryFn: ({ signal }) => waypost.phoneNumbers.get(id, { signal }),
  });

/** Asks the provider, at most once a minute. */
export const healthQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.numbers, "health", id],
    queryFn: ({ signal }) => waypost.phoneNumbers.getHealth(id, { signal }),
  });

/** Asks the provider each time. */
export const profileQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.numbers, "profile", id],
    queryFn: ({ signal }) => waypost.phoneNumbers.getProfile(id, { signal }),
  });

export const signupsQuery = queryOptions({
  queryKey: [...KEYS.signups, "list"],
  queryFn: async ({ signal }) => [...(await waypost.embeddedSignups.list({ limit: PAGE_SIZE }, { signal })).data],
});

export const setupLinksQuery = queryOptions({
  queryKey: [...KEYS.signups, "links"],
  queryFn: async ({ signal }) => [...(await waypost.setupLinks.list({ limit: PAGE_SIZE }, { signal })).data],
});

const WATCHED_MS = 1_000;
const ENDED: ReadonlySet<string> = new Set(["completed", "failed"]);

/** Read again while it goes on. */
export const signupQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.signups, "one", id],
    queryFn: ({ signal }) => waypost.embeddedSignups.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && ENDED.has(data.status) ? false : WATCHED_MS),
  });

export const signupConfigQuery = queryOptions({
  queryKey: [...KEYS.signups, "config"],
  queryFn: ({ signal }) => waypost.embeddedSignups.getConfig({ signal }),
});
