import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, type MessageWithHistory, type Query, type WebhookEndpoint } from "@waypost/sdk";
import { waypost } from "../client.ts";
import { KEYS, PAGE_SIZE } from "./keys.ts";

const MOST_ENDPOINTS = 100;
/** Figures are up to a minute late. */
const FIGURES_MS = 60_000;
const WATCHED_MS = 2_000;
/** The API looks for those of a message, one such request after the other. */
const PENDING_EVERY_MS = 5_000;

/** All endpoints of the workspace: it has a hundred at most. */
export const endpointsQuery = queryOptions({
  queryKey: [...KEYS.endpoints, "list"],
  queryFn: async ({ signal }) => [...(await waypost.webhookEndpoints.list({ limit: MOST_ENDPOINTS }, { signal })).data],
});

/** An endpoint with its version, for `ifMatch`. */
export type Versioned = { endpoint: WebhookEndpoint; etag: string | null };

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.endpoints, "one", id],
    queryFn: async ({ signal }): Promise<Versioned> => versioned(await waypost.webhookEndpoints.get(id, { signal })),
  });

export const versioned = (endpoint: WebhookEndpoint): Versioned => ({
  endpoint,
  etag: answerOf(endpoint)?.etag ?? null,
});

/** No secret lives on for longer once it was replaced. */
const LONGEST_OVERLAP_MS = 7 * 24 * 3_600_000;

/** The calls that have rotated an endpoint's secret, as far as what they replaced may live on. */
export const rotationsQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.endpoints, "rotations", id],
    queryFn: async ({ signal }) => {
      const query = {
        action: "webhook_endpoint.rotate_secret",
        resource: id,
        at_after: new Date(Date.now() - LONGEST_OVERLAP_MS).toISOString(),
        limit: 100,
      };
      return [...(await waypost.audit.listActivity(query, { signal })).data];
    },
  });

/** Attempts of an endpoint by how they ended, in five minutes each, since `since` (RFC 3339). */
export const attemptsQuery = (id: string, since: string) =>
  queryOptions({
    queryKey: ["attempts", id, since],
    queryFn: async ({ signal }) => {
      const query = { at_after: since, interval: "5m", group_by: "status", webhook_endpoint_id: id } as const;
      return (await waypost.metrics.deliveries(query, { signal })).data;
    },
    placeholderData: keepPreviousData,
    staleTime: FIGURES_MS,
    refetchInterval: FIGURES_MS,
  });

/** How long attempts took at each endpoint, in hours of the last day, the latest first. */
export const durationsQuery = queryOptions({
  queryKey: ["attempts", "durations"],
  queryFn: async ({ signal }) => {
    const query = { interval: "1h", group_by: "webhook_endpoint_id" } as const;
    return (await waypost.metrics.deliveries(query, { signal })).data;
  },
  staleTime: FIGURES_MS,
  refetchInterval: FIGURES_MS,
});

export type DeliveryFilters = Omit<Query<"deliveries.list">, "limit">;

async function listed(filters: DeliveryFilters, signal: AbortSignal) {
  const { data, nextCursor } = await waypost.deliveries.list({ ...filters, limit: PAGE_SIZE }, { signal });
  return { data: [...data], nextCursor };
}

/** Read again with each event, which is what is delivered, and at intervals: how a delivery ends is none. */
export const deliveryListQuery = (filters: DeliveryFilters) =>
  queryOptions({
    queryKey: [...KEYS.deliveryList, filters],
    queryFn: ({ signal }) => listed(filters, signal),
    placeholderData: keepPreviousData,
    refetchInterval: PENDING_EVERY_MS,
  });

/** What waits for an endpoint. Not read again with each event: a page has a hundred endpoints. */
export const waitingQuery = (endpointId: string, status: "pending" | "parked") =>
  queryOptions({
    queryKey: ["deliveries", "waiting", endpointId, status],
    queryFn: ({ signal }) => listed({ webhook_endpoint_id: endpointId, status }, signal),
  });

/** The latest deliveries of a message's events: read again with each of its steps, and while one waits. */
export const deliveriesQuery = ({ id, status, history }: MessageWithHistory) =>
  queryOptions({
    queryKey: ["deliveries", "message", id, `${status} ${history.length}`],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await waypost.deliveries.list({ message_id: id, limit: 100 }, { signal });
      return { data: [...data], nextCursor };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.data.some(isPending) ? PENDING_EVERY_MS : false),
  });

const isPending = ({ status }: { status: string }): boolean => status === "pending";

/** One with its attempts; watched while it waits for another. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ["deliveries", "one", id],
    queryFn: ({ signal }) => waypost.deliveries.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? WATCHED_MS : false),
  });

/** Watched until it has ended. */
export const replayQuery = (endpointId: string, id: string) =>
  queryOptions({
    queryKey: ["replays", endpointId, id],
    queryFn: ({ signal }) => waypost.webhookEndpoints.getReplay(endpointId, id, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.status === "pending" || state.data?.status === "running" ? WATCHED_MS / 2 : false,
  });
