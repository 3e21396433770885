import type { Sql } from "../../db/database.ts";
import { timeOfUuid } from "../../lib/ids.ts";
import {
  type ConversationKey,
  type LatestRow,
  selectActiveConversations,
  selectConversationsOfPeople,
  selectLatestRows,
  selectMessageConversations,
} from "./store.ts";

/** Part of the list: conversations whose latest message is older than `before`, at most `fetch`, of these numbers or of all. */
export type Wanted = { before: string | null; fetch: number; numbers: readonly string[] | null };

/** Messages that are walked for one page before the conversations themselves are read: some milliseconds. */
const MOST_WALKED = 5_000;
const FIRST_WALK = 200;
const LONGEST_WALK = 2_000;
/**
 * Conversations that are read when messages were walked in vain: each time looks through all of the workspace (75 ms at 200,000
 * conversations), and then for the latest message of each that was read (116 ms for 5,000). Mostly few are enough.
 */
const READS = { first: 500, next: 5_000 };
/** The time of a conversation's last message is not kept more often than this (accept.store.ts). */
const KEPT_EVERY_MS = 60_000;

/**
 * The conversations with the latest messages, newest first. No index has their order, because each message would have to change
 * it: messages are walked from the newest on instead, and the first of a conversation is its latest. Where a few
 * conversations have nearly all messages, or all of a part of the list have newer ones, that finds too few; then the
 * conversations are read by the time of their last message, which is kept to a minute.
 */
export async function latestOfWorkspace(
  sql: Sql,
  workspaceId: string,
  wanted: Wanted,
  mostWalked = MOST_WALKED,
  reads = READS,
): Promise<LatestRow[]> {
  const found = new Found(sql, workspaceId, wanted.before);
  let before = wanted.before;
  let size = Math.min(FIRST_WALK, mostWalked);
  for (let walked = 0; walked < mostWalked; size = Math.min(size * 4, LONGEST_WALK)) {
    const rows = await selectMessageConversations(sql, workspaceId, { before, numbers: wanted.numbers, limit: size });
    await found.add(rows.filter(({ in_none }) => !in_none).map(keysOf));
    walked += rows.length;
    if (found.rows.length >= wanted.fetch || rows.length < size) return found.rows.slice(0, wanted.fetch);
    before = rows.at(-1)?.id ?? before;
  }
  return before === null ? found.rows : await addActive(found, before, wanted, reads);
}

/** Goes on below the message `before`, until no conversation that was not read can have a later message than those found. */
async function addActive(
  found: Found,
  before: string,
  { fetch, numbers }: Wanted,
  reads: typeof READS,
): Promise<LatestRow[]> {
  let below: Parameters<typeof selectActiveConversations>[2]["below"] = new Date(timeOfUuid(before));
  for (let limit = reads.first; ; limit = reads.next) {
    const rows = await selectActiveConversations(found.sql, found.workspaceId, { below, numbers, limit });
    await found.addUnordered(rows);
    const [last, end] = [rows.at(-1), found.rows[fetch - 1]];
    const isWhole =
      end !== undefined && last !== undefined && last.last_message_at.getTime() + KEPT_EVERY_MS < timeOfUuid(end.id);
    if (isWhole || last === undefined || rows.length < limit) return found.rows.slice(0, fetch);
    below = last;
  }
}

const keysOf = ({ contact_id, phone_number_id, id }: LatestRow): LatestRow => ({ contact_id, phone_number_id, id });

/** As `latestOfWorkspace`, of some people. */
export async function latestOfPeople(
  sql: Sql,
  workspaceId: string,
  contactIds: readonly string[],
  { before, fetch, numbers }: Wanted,
): Promise<LatestRow[]> {
  const found = new Found(sql, workspaceId, before);
  await found.addUnordered(await selectConversationsOfPeople(sql, workspaceId, contactIds, numbers));
  return found.rows.slice(0, fetch);
}

/** Conversations of a list, each once. */
class Found {
  readonly rows: LatestRow[] = [];
  readonly sql: Sql;
  readonly workspaceId: string;
  readonly #before: string | null;
  readonly #seen = new Set<string>();
  /** How many of the rows are in order, before those that were added in none. */
  #ordered = 0;

  constructor(sql: Sql, workspaceId: string, before: string | null) {
    this.sql = sql;
    this.workspaceId = workspaceId;
    this.#before = before;
  }

  /** Rows of messages, newest first. What has a message that is not older than the page stands on an earlier one. */
  async add(rows: readonly LatestRow[]): Promise<void> {
    const fresh = this.#unseen(rows);
    this.rows.push(...(this.#before === null ? fresh : await this.#latest(fresh)));
    this.#ordered = this.rows.length;
  }

  async addUnordered(keys: readonly ConversationKey[]): Promise<void> {
    const unordered = [...this.rows.splice(this.#ordered), ...(await this.#latest(this.#unseen(keys)))];
    this.rows.push(...unordered.toSorted((one, other) => (one.id < other.id ? 1 : -1)));
  }

  #unseen<Key extends ConversationKey>(keys: readonly Key[]): Key[] {
    return keys.filter(({ contact_id, phone_number_id }) => {
      const name = `${contact_id} ${phone_number_id}`;
      if (this.#seen.has(name)) return false;
      this.#seen.add(name);
      return true;
    });
  }

  async #latest(keys: readonly ConversationKey[]): Promise<LatestRow[]> {
    const before = this.#before;
    const latest = await selectLatestRows(this.sql, this.workspaceId, keys);
    return before === null ? latest : latest.filter(({ id }) => id < before);
  }
}
