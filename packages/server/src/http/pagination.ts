import type { TSchema } from "typebox";
import { Type } from "typebox";
import { invalidAt } from "./problem.ts";

export const DEFAULT_LIMIT = 25;
/** One page is one answer in memory; 100 wide rows are some hundred KiB. */
export const MOST_ROWS = 100;

/** Query parameters of every list; spread them into the list's own filters. */
export const listQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST_ROWS, default: DEFAULT_LIMIT, description: "Rows of one page" }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: "`next_cursor` of the page before" })),
};

/** Schema of a list's answer. */
export const listOf = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), next_cursor: Type.Union([Type.String(), Type.Null()]) });

/** What a store needs for one page: rows with an id below `before`, newest first, one more than the page holds. */
export type PageRequest = { limit: number; before: string | null; fetch: number };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads `limit` and `cursor`; an invalid cursor is 400. */
export function pageRequest(query: { limit?: number; cursor?: string }): PageRequest {
  const limit = query.limit ?? DEFAULT_LIMIT;
  return { limit, before: query.cursor === undefined ? null : decodeCursor(query.cursor), fetch: limit + 1 };
}

/**
 * One page out of up to `limit + 1` rows, keyed by UUIDv7 `id` descending: stable while rows arrive, because what is new
 * sorts before the first page.
 */
export function page<Row extends { id: string }, Item>(
  rows: readonly Row[],
  request: PageRequest,
  render: (row: Row) => Item,
): { data: Item[]; next_cursor: string | null } {
  const shown = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? shown.at(-1) : undefined;
  return { data: shown.map(render), next_cursor: last ? encodeCursor(last.id) : null };
}

/** Opaque to callers: base64url of the last row's uuid. */
export const encodeCursor = (uuid: string): string =>
  Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url");

/** The uuid in a cursor; 400 when there is none in it. */
export function decodeCursor(cursor: string): string {
  const hex = Buffer.from(cursor, "base64url").toString("hex");
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  // Node's decoder skips what is not base64url; only the exact text of a cursor is one.
  if (!UUID.test(uuid) || encodeCursor(uuid) !== cursor)
    throw invalidAt("?cursor", "This is not a cursor of this list.", "invalid_cursor");
  return uuid;
}
