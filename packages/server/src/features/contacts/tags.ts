import type { TxCtx } from "../../ctx.ts";
import type { Answer } from "../../http/route.ts";
import type { TagList } from "./schema.ts";
import { selectTagRows } from "./tags.store.ts";

/** Contacts whose tags are counted, the newest: some tenths of a second. */
const MOST_COUNTED = 200_000;
/** Names in an answer, those that most contacts have. */
const MOST_NAMES = 1_000;

/** The tags of the workspace's contacts, and how many have each. */
export async function listTags(ctx: TxCtx): Promise<Answer<TagList>> {
  const { names, walked } = await selectTagRows(ctx.sql, ctx.workspaceId, {
    contacts: MOST_COUNTED,
    names: MOST_NAMES,
  });
  return { body: { data: names, complete: walked < MOST_COUNTED && names.length < MOST_NAMES } };
}
