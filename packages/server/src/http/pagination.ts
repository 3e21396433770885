import type { TSchema } from "typebox";
import { Type } from "typebox";
import type { Schema } from "./route.ts";

export const DEFAULT_LIMIT = 25;
/** A page is held in memory as one answer; 100 wide rows are some hundred KiB. */
export const MOST_ROWS = 100;

/** Query parameters of every list; spread them into the list's own filters. */
export const listQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_ROWS,
      default: DEFAULT_LIMIT,
      description: "The number of items in a page.",
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "The `next_cursor` of the previous page; use it with the same filters.",
    }),
  ),
};

/** The query of a list without filters. */
export type PageQuery = { limit?: number; cursor?: string };

/** Schema of a list's answer. */
export const listOf = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: "The `cursor` of the next page; null on the last page.",
      examples: ["AZQZTgAAcACAAAAAAAAACrH2c_E"],
    }),
  });

/** The answer of a list. */
export type Page<Item> = { data: Item[]; next_cursor: string | null };

/** True for the schema of a list's answer. */
export function isList(response: object): boolean {
  const properties = (response as Schema)["properties"]; // a JSON Schema is plain data
  return typeof properties === "object" && properties !== null && "data" in properties && "next_cursor" in properties;
}

/** What a store needs for one page: rows with an id below `before`, newest first, one more than the page holds. */
export type PageRequest = { limit: number; before: string | null; fetch: number };

/** Reads `limit` and `cursor`. HTTP has opened the cursor: a verb sees the uuid in it (request/cursor.ts). */
export function pageRequest(query: PageQuery): PageRequest {
  const limit = query.limit ?? DEFAULT_LIMIT;
  return { limit, before: query.cursor ?? null, fetch: limit + 1 };
}

/**
 * One page out of up to `limit + 1` rows, in descending order of their UUIDv7 `id`: stable while rows arrive, because new rows
 * sort before the first page. `next_cursor` is the last row's uuid; HTTP seals it.
 */
export function page<Row extends { id: string }, Item>(
  rows: readonly Row[],
  request: PageRequest,
  render: (row: Row) => Item,
): Page<Item> {
  const items = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? items.at(-1) : undefined;
  return { data: items.map(render), next_cursor: last?.id ?? null };
}

/**
 * One page of the rows that fit among those that were looked at, down to the id `reached`; null: there are no more. A page with fewer rows
 * than its limit goes on behind what was looked at.
 */
export function pageOfLooked<Row extends { id: string }, Item>(
  { rows, reached }: { rows: readonly Row[]; reached: string | null },
  request: PageRequest,
  render: (row: Row) => Item,
): Page<Item> {
  const { data, next_cursor } = page(rows, request, render);
  return { data, next_cursor: next_cursor ?? reached };
}
