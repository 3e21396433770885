import { graphRefusal, refusal } from "./error.ts";
import { majorOf } from "./version.ts";

/** Entries of a page when `limit` is not given, and at most. */
const USUAL_LIMIT = 25;
const MOST_LIMIT = 1000;
/** Before this version a foreign cursor was an invalid parameter like any other (provider reference 9). */
const CURSOR_CODE_SINCE = 24;
const MARK = "AQH";

/** What was asked of a list, and `url`: the address of the list with everything that was asked. */
export type PageQuery = {
  limit: string | undefined;
  after: string | undefined;
  before: string | undefined;
  version: string;
  url: URL;
};

/**
 * One page of a list, as the provider pages: opaque cursors that belong to this list (`scope` names it), `next` and `previous`
 * only where there is more. `orderOf` gives each entry a number that grows along the list and stays.
 */
export function pageOf<T>(
  items: readonly T[],
  query: PageQuery,
  list: { scope: string; orderOf: (item: T, index: number) => number; render: (item: T) => unknown },
): { data: unknown[]; paging?: Record<string, unknown> } {
  const { scope } = list;
  const limit = Math.min(MOST_LIMIT, Math.max(1, Math.floor(Number(query.limit ?? USUAL_LIMIT)) || USUAL_LIMIT));
  const lower = query.after === undefined ? Number.NEGATIVE_INFINITY : positionOf(query.after, scope, query.version);
  const upper = query.before === undefined ? Number.POSITIVE_INFINITY : positionOf(query.before, scope, query.version);
  const ordered = items.map((item, index) => ({ item, order: list.orderOf(item, index) }));
  const within = ordered.filter(({ order }) => order > lower && order < upper);
  const page = query.before === undefined ? within.slice(0, limit) : within.slice(-limit);
  const data = page.map(({ item }) => list.render(item));
  const first = page[0]?.order;
  const last = page.at(-1)?.order;
  if (first === undefined || last === undefined) return { data };
  const cursors = { before: cursorOf(scope, first), after: cursorOf(scope, last) };
  const paging: Record<string, unknown> = { cursors };
  if (ordered.some(({ order }) => order > last)) paging["next"] = addressOf(query.url, "after", cursors.after);
  if (ordered.some(({ order }) => order < first)) paging["previous"] = addressOf(query.url, "before", cursors.before);
  return { data, paging };
}

function cursorOf(scope: string, order: number): string {
  return Buffer.from(`${MARK}${scope}:${order}`).toString("base64url");
}

function positionOf(cursor: string, scope: string, version: string): number {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const start = `${MARK}${scope}:`;
  const order = text.startsWith(start) ? Number(text.slice(start.length) || Number.NaN) : Number.NaN;
  if (!Number.isNaN(order)) return order;
  if (majorOf(version) < CURSOR_CODE_SINCE) throw graphRefusal(100, "(#100) Invalid cursor");
  throw refusal(131059, "The cursor is not one of this list.");
}

function addressOf(list: URL, name: "after" | "before", cursor: string): string {
  const url = new URL(list);
  url.searchParams.delete("after");
  url.searchParams.delete("before");
  url.searchParams.set(name, cursor);
  return url.href;
}
