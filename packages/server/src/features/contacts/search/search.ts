import type { TxCtx } from "../../../ctx.ts";
import { callWithin } from "../../../db/call-within.ts";
import type { RowOf } from "../../../db/hot-function.ts";
import { readWithin } from "../../../db/time-limit.ts";
import { DAY_MS } from "../../../lib/duration.ts";
import { uuidFloor } from "../../../lib/ids.ts";
import { type ChangedContact, changedContacts } from "./changed.store.ts";
import { asksForText, type Condition, createdSince, type Search, searchOf } from "./condition.ts";
import { countContacts } from "./count.store.ts";
import { type FIND, findContacts, type Way } from "./find.store.ts";

/** Compared one by one before the index is asked, some 1.5 µs each, and with a text 8 µs: asking takes longer than all of them. */
const WALK_FIRST = 8_000;
const WALK_FIRST_FOR_TEXT = 2_000;
/** Contacts that are read and sorted for one page. Of more, a page of 100 is full after 5,000 on the way through a million. */
const MOST_CANDIDATES = 20_000;
/** The same where each is compared with a text, some 8 µs. */
const MOST_TEXT_CANDIDATES = 8_000;
/** Of one page; what asking the index takes comes on top. */
const BUDGET_MS = 40;
const MOST_COUNTED_BY_INDEX = 50_000;
/** Of a statement that asks the index; after it the list is walked. */
const LONGEST_BY_INDEX_MS = 300;
/** An id is made a moment before its contact is created, or, by a clock that is wrong, after it. */
const ID_BEFORE_CREATION_MS = DAY_MS;

type Reading = Pick<TxCtx, "sql" | "workspaceId" | "now">;

export type Find = {
  condition: Condition;
  /** The place that the page before ended at. */
  cursor: string | null;
  limit: number;
  /** Uuid of the one contact that may be on the list. */
  contactId?: string | undefined;
};
export type Found = { ids: string[]; cursor: string | null };

/**
 * Uuids of contacts that fulfil a condition, newest first. The cursor is null at the end, and only there: a page may have fewer than
 * its limit, or nothing, where few contacts fit and the time was over.
 */
export async function findPage(ctx: Reading, { condition, cursor, limit, contactId }: Find): Promise<Found> {
  const search = searchOf(condition);
  const since = createdSince(condition);
  const { before, way } = placeOf(cursor);
  const row = {
    workspace_id: ctx.workspaceId,
    ...search,
    before,
    lowest: since === null ? null : uuidFloor(Date.parse(since) - ID_BEFORE_CREATION_MS),
    contact_id: contactId,
    way,
    most: limit,
    ...(asksForText(search.narrow ?? [])
      ? { walk_first: WALK_FIRST_FOR_TEXT, most_candidates: MOST_TEXT_CANDIDATES }
      : { walk_first: WALK_FIRST, most_candidates: MOST_CANDIDATES }),
    budget_ms: BUDGET_MS,
  };
  const find = (row: RowOf<typeof FIND>) => callWithin(ctx.sql, findContacts, [row], ctx.now);
  const isWalk = search.narrow === null || way === "walk";
  // The index cannot say how many contacts it has to compare for a text: where they are too many the list is walked.
  const found = isWalk ? null : await readWithin(ctx.sql, LONGEST_BY_INDEX_MS, () => find(row));
  const [answer] = found ?? (await find({ ...row, way: "walk" }));
  if (!answer) throw new Error("a search has no answer");
  return { ids: answer.ids, cursor: answer.more && answer.at !== null ? cursorOf(answer.at, answer.way) : null };
}

/** Those of some contacts that fulfil a condition; each is looked up by its uuid. */
export async function findAmong(ctx: Reading, condition: Condition, ids: readonly string[]): Promise<string[]> {
  const row = {
    workspace_id: ctx.workspaceId,
    ...searchOf(condition),
    before: null,
    lowest: null,
    way: null,
    most: 1,
    walk_first: 0,
    most_candidates: 0,
    budget_ms: BUDGET_MS,
  };
  const rows = ids.map((id) => ({ ...row, contact_id: id }));
  return (await callWithin(ctx.sql, findContacts, rows, ctx.now)).flatMap((answer) => answer.ids);
}

// The uuid of the last contact that was looked at, and how the list is read, where that is decided.
const UUID_LENGTH = 36;
const cursorOf = (at: string, way: Way): string => `${at}${way === null ? "" : `.${way}`}`;
function placeOf(cursor: string | null): { before: string | null; way: Way } {
  if (cursor === null) return { before: null, way: null };
  const way = cursor.slice(UUID_LENGTH + 1);
  return { before: cursor.slice(0, UUID_LENGTH), way: way === "walk" || way === "index" ? way : null };
}

/** The beginning of all changes. */
const FIRST_CHANGE = "0.0.00000000-0000-0000-0000-000000000000";

/** Contacts in the order of their last changes, oldest first. The cursor is there also at the end, to go on from when more have changed. */
export async function findChanges(
  ctx: Reading,
  { condition, cursor, limit }: Omit<Find, "contactId">,
): Promise<{ contacts: ChangedContact[]; cursor: string; more: boolean }> {
  const { filter, values } = searchOf(condition);
  const [era = "", xid = "", id = ""] = (cursor ?? FIRST_CHANGE).split(".");
  const [answer] = await callWithin(
    ctx.sql,
    changedContacts,
    [
      {
        workspace_id: ctx.workspaceId,
        filter,
        narrow: null,
        sample: null,
        values,
        era: Number(era),
        xid,
        id,
        most: limit,
        budget_ms: BUDGET_MS,
      },
    ],
    ctx.now,
  );
  if (!answer) throw new Error("a search has no answer");
  return { contacts: answer.contacts, cursor: `${answer.era}.${answer.xid}.${answer.id}`, more: answer.more };
}

/**
 * How many contacts fulfil a condition, and the uuid to go on from where that took longer than `budgetMs`, or twice that where the
 * index was asked in vain.
 */
export async function countPart(
  ctx: Reading,
  { condition, from, budgetMs }: { condition: Condition; from: string | null; budgetMs: number },
): Promise<{ count: number; at: string | null }> {
  const search = searchOf(condition);
  const count = (narrow: Search["narrow"]) =>
    callWithin(
      ctx.sql,
      countContacts,
      [
        {
          workspace_id: ctx.workspaceId,
          ...search,
          narrow,
          before: from,
          most_candidates: MOST_COUNTED_BY_INDEX,
          budget_ms: budgetMs,
        },
      ],
      ctx.now,
    );
  const byIndex = search.narrow && from === null;
  const counted = byIndex ? await readWithin(ctx.sql, budgetMs, () => count(search.narrow)) : null;
  const [answer] = counted ?? (await count(null));
  if (!answer) throw new Error("a count has no answer");
  return { count: answer.count, at: answer.at };
}
