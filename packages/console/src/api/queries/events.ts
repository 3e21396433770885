import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Event } from "@waypost/sdk";
import { waypost } from "../client.ts";
import { messageOf } from "../event-message.ts";
import { liveness } from "../live.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const PAGE = 100;
const POLL_EVERY_MS = 10_000;

export type EventFilters = { kind?: string; contact_id?: string; message_id?: string };

/**
 * What happened lately, the newest first. The API lists events oldest first, so that the latest are those since a time of which all fit
 * one page: the longest of these.
 */
export const recentEventsQuery = (filters: EventFilters) =>
  queryOptions({
    queryKey: ["events", filters],
    queryFn: async ({ signal }): Promise<readonly Event[]> => {
      const isOfOne = filters.contact_id !== undefined || filters.message_id !== undefined;
      const spans = isOfOne ? [30 * DAY_MS, DAY_MS, HOUR_MS] : [HOUR_MS, 10 * MINUTE_MS, MINUTE_MS, MINUTE_MS / 6];
      for (const span of spans) {
        const since = new Date(Date.now() - span).toISOString();
        const { data } = await waypost.events.list({ ...filters, created_after: since, limit: PAGE }, { signal });
        if (data.length < PAGE) return [...data].reverse();
      }
      return [];
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0, // the next visit begins with what is the latest then
    refetchInterval: () => (liveness.get() === "on" ? false : POLL_EVERY_MS),
  });

/** Pages of which none has an event of the number asked for, read in one go. */
const MOST_PAGES = 10;

/**
 * Events since a time (RFC 3339), as the API lists them: oldest first, page by page. `number`: only those of its messages. `until`: only
 * those before that time: events are listed as they came to be seen, and one that took long is behind later ones, so that the list ends
 * with the first page that has none of before.
 */
export const eventsSinceQuery = (
  since: string,
  { number, until, ...filters }: EventFilters & { number?: string; until?: string },
) =>
  infiniteQueryOptions({
    queryKey: ["events", "since", since, until, number, filters],
    queryFn: async ({ pageParam, signal }) => {
      const data: Event[] = [];
      const end = until === undefined ? Infinity : Date.parse(until);
      let cursor: string | null = pageParam;
      for (let read = 0; read < MOST_PAGES && data.length < PAGE; read += 1) {
        const place = cursor === null ? {} : { cursor };
        const page = await waypost.events.list({ ...filters, ...place, created_after: since, limit: PAGE }, { signal });
        const within = page.data.filter(({ created_at: at }) => Date.parse(at) < end);
        data.push(...within.filter((event) => number === undefined || messageOf(event)?.phone_number_id === number));
        if (!page.hasMore || (until !== undefined && within.length === 0)) return { data, nextCursor: null };
        cursor = page.nextCursor;
      }
      return { data, nextCursor: cursor };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });

export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ["events", "one", id],
    queryFn: ({ signal }) => waypost.events.get(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
