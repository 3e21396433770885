import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, type Segment } from "@waypost/sdk";
import { waypost } from "../client.ts";
import { KEYS, PAGE_SIZE } from "./keys.ts";

export type SegmentFilter = Segment["filter"];

export const segmentsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...KEYS.segments, "list", cursor],
    queryFn: async ({ signal }) => {
      const query = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
      const { data, nextCursor } = await waypost.segments.list(query, { signal });
      return { data: [...data], nextCursor };
    },
    placeholderData: keepPreviousData,
  });

/** All of them, to choose from. */
export const allSegmentsQuery = queryOptions({
  queryKey: [...KEYS.segments, "all"],
  queryFn: async ({ signal }) => {
    const all: Segment[] = [];
    for await (const one of waypost.segments.list({ limit: 100 }, { signal })) all.push(one);
    return all;
  },
  staleTime: 60_000,
});

/** A segment with its version, for `ifMatch`. */
export type VersionedSegment = { segment: Segment; etag: string | null };

export const segmentQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.segments, "one", id],
    queryFn: async ({ signal }) => versionedSegment(await waypost.segments.get(id, { signal })),
  });

export const versionedSegment = (segment: Segment): VersionedSegment => ({
  segment,
  etag: answerOf(segment)?.etag ?? null,
});

/** Whom a filter has now. */
export const previewQuery = (filter: SegmentFilter) =>
  queryOptions({
    queryKey: [...KEYS.segments, "preview", filter],
    queryFn: ({ signal }) => waypost.segments.preview({ filter }, { signal }),
    placeholderData: keepPreviousData,
  });
