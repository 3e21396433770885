import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ContactImport } from "@waypost/sdk";
import { waypost } from "../client.ts";
import { PAGE_SIZE } from "./keys.ts";

const WATCHED_MS = 1_000;

export const isUnderWay = ({ status }: ContactImport): boolean => status === "pending" || status === "running";

/** The latest imports. */
export const importsQuery = queryOptions({
  queryKey: ["imports", "list"],
  queryFn: async ({ signal }) => [...(await waypost.contacts.listImports({ limit: 20 }, { signal })).data],
});

/** Watched until it has ended. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ["imports", "one", id],
    queryFn: ({ signal }) => waypost.contacts.getImport(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? WATCHED_MS : false),
  });

/** Rows that were refused. `failed`: how many there are, so that new ones are read. */
export const importErrorsQuery = (id: string, cursor: string | undefined, failed: number) =>
  queryOptions({
    queryKey: ["imports", "errors", id, cursor, failed],
    queryFn: async ({ signal }) => {
      const query = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
      const { data, nextCursor } = await waypost.contacts.listImportErrors(id, query, { signal });
      return { data: [...data], nextCursor };
    },
    placeholderData: keepPreviousData,
  });
