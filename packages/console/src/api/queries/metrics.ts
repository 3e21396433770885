import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { waypost } from "../client.ts";
import { KEYS } from "./keys.ts";

type Asked = { at_after: string; at_before: string; interval: "5m" | "1h" | "1d"; phone_number_id?: string };

/** Messages by the status that they came to. */
export const metricsQuery = (range: Asked) =>
  queryOptions({
    queryKey: [...KEYS.metrics, range],
    queryFn: ({ signal }) => waypost.metrics.messages({ ...range, group_by: "status" }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });

/** Messages that failed or expired, by error. */
export const failuresQuery = (range: Asked) =>
  queryOptions({
    queryKey: [...KEYS.metrics, "failures", range],
    queryFn: async ({ signal }) =>
      (await waypost.metrics.messages({ ...range, group_by: "error_code" }, { signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
