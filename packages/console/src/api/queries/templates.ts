import { queryOptions } from "@tanstack/react-query";
import { waypost } from "../client.ts";

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
