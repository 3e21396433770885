import type { Actor, TxCtx } from "../../ctx.ts";
import { numbersOfList } from "../../http/caller.ts";
import { uuidOfFilter } from "../../http/ids.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { timeOfUuid } from "../../lib/ids.ts";
import { findPeople, type People } from "../contacts/people.ts";
import { recordIdsOf } from "../identity/find-contact.ts";
import { WINDOW_MS } from "../threads/thread.sql.ts";
import { latestOfPeople, latestOfWorkspace, type Wanted } from "./latest.ts";
import type { ListConversations } from "./schema.ts";
import { type LatestRow, selectFittingIds } from "./store.ts";

/**
 * Conversations that are looked at for one page of those that fit, a part after the other: mostly the first is enough, and all of them
 * take some tenths of a second.
 */
const PARTS = [100, 400, 500];
/** A person's clock and ours differ by less. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

type Reading = Pick<TxCtx, "sql" | "workspaceId" | "now"> & { actor: Pick<Actor, "phoneNumberIds"> };
export type Found = { rows: LatestRow[]; next: string | null };
/** Part of a list without `window`, `unread` and `q`, by the latest message. */
type List = (part: Pick<Wanted, "before" | "fetch">) => Promise<LatestRow[]>;

/**
 * One page, by the latest message of each conversation. What filters cannot be asked of an index is compared one by one; so a page may
 * have fewer than its limit, and ends at the last that was looked at.
 */
export async function findConversations(
  ctx: Reading,
  query: ListConversations,
  request: PageRequest,
  parts: readonly number[] = PARTS,
): Promise<Found> {
  const people = query.q === undefined ? null : await findPeople(ctx, query.q);
  const list = await listOf(ctx, query, people);
  if (list === null) return NOTHING;
  const isFiltered = query.window !== undefined || query.unread !== undefined || people !== null;
  if (!isFiltered) return pageOf(await list(request), request);
  const isAmongAll = query.contact_id === undefined && people?.all != null;
  const rows: LatestRow[] = [];
  let before = request.before;
  for (const fetch of parts) {
    const part = await list({ before, fetch });
    rows.push(...(await fitting(ctx, part, query, isAmongAll ? null : people)));
    const last = part.at(-1);
    const isEnd =
      last === undefined || part.length < fetch || (query.window === "open" && isPastWindows(last, ctx.now));
    if (isEnd || rows.length > request.limit) return pageOf(rows, request);
    before = last.id;
  }
  return rows.length > request.limit ? pageOf(rows, request) : { rows, next: before };
}

const NOTHING: Found = { rows: [], next: null };

const pageOf = (rows: readonly LatestRow[], { limit }: PageRequest): Found => {
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
};

/** Whether a message that is the latest of its conversation is too old for an open window, as all that follow are. */
const isPastWindows = ({ id }: LatestRow, now: number): boolean => timeOfUuid(id) < now - WINDOW_MS - CLOCKS_DIFFER_MS;

/** Null: the filters name what is not there. */
async function listOf(ctx: Reading, query: ListConversations, people: People | null): Promise<List | null> {
  const { sql, workspaceId } = ctx;
  const numbers = numbersOf(ctx, query.phone_number_id);
  if (numbers?.length === 0) return null;
  const ids = query.contact_id === undefined ? (people?.all ?? null) : await survivorOf(ctx, query.contact_id);
  return ids === null
    ? (part) => latestOfWorkspace(sql, workspaceId, { ...part, numbers })
    : (part) => latestOfPeople(sql, workspaceId, ids, { ...part, numbers });
}

/** Uuids of the numbers that the caller asks for and may see; null: all. */
export function numbersOf({ actor }: Pick<Reading, "actor">, filter: string | undefined): readonly string[] | null {
  if (filter === undefined) return numbersOfList(actor, null);
  const id = uuidOfFilter("num", filter);
  return id === null ? [] : numbersOfList(actor, id);
}

/** The record that stands for the person; none where there is no such contact. */
async function survivorOf({ sql, workspaceId }: Reading, contactId: string): Promise<string[]> {
  const contact = uuidOfFilter("con", contactId);
  return contact === null ? [] : (await recordIdsOf(sql, workspaceId, contact)).slice(0, 1);
}

async function fitting(
  ctx: Reading,
  rows: readonly LatestRow[],
  { window, unread }: ListConversations,
  people: People | null,
): Promise<LatestRow[]> {
  const isOfPeople = people === null ? null : await people.among([...new Set(rows.map((row) => row.contact_id))]);
  const asked = isOfPeople === null ? rows : rows.filter(({ contact_id }) => isOfPeople.has(contact_id));
  if (window === undefined && unread === undefined) return [...asked];
  const filter = { isOpen: window === undefined ? null : window === "open", isUnread: unread ?? null };
  const ids = new Set(await selectFittingIds(ctx.sql, ctx.workspaceId, asked, { ...filter, now: new Date(ctx.now) }));
  return asked.filter(({ id }) => ids.has(id));
}
