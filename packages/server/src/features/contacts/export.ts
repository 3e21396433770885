import type { Ctx } from "../../ctx.ts";
import { keysetPages, ROWS_A_PAGE, type StreamedRow } from "../../http/stream-rows.ts";
import { askedBy, pageOf } from "./list.ts";
import type { Contact, ContactExportQuery } from "./schema.ts";

/** The columns of an export as CSV; an import takes the same. */
export const EXPORT_COLUMNS = [
  "id",
  "phone",
  "name",
  "email",
  "locale",
  "tags",
  "attributes",
  "marketing_consent",
  "consent_source",
  "wa_id",
  "user_id",
  "parent_user_id",
  "username",
  "profile_name",
  "last_inbound_at",
  "created_at",
  "updated_at",
] as const;

/**
 * Every contact that the list would have, newest first: a walk by id, so what is created or changed meanwhile is in it or not. One that
 * is there all the time is in it once.
 */
export async function* exportContacts(
  ctx: Ctx,
  { query }: { query: ContactExportQuery },
): AsyncGenerator<readonly Contact[]> {
  const { workspaceId, now, actor } = ctx;
  // Asked once: a segment that is changed meanwhile is exported as it was.
  let asked: Awaited<ReturnType<typeof askedBy>> | undefined;
  yield* keysetPages(ctx, async (sql, cursor: string | null) => {
    const reading = { sql, workspaceId, now, actor };
    if (asked === undefined) asked = await askedBy(reading, query);
    if (asked === null) return { rows: [], next: null };
    const { data, next_cursor: next } = await pageOf(reading, { ...asked, cursor, limit: ROWS_A_PAGE });
    return { rows: data, next };
  });
}

/** A tag that would be read as others: then all are a JSON array. */
const AMBIGUOUS = /[;|]|^\[|^\s|\s$/;

/** Tags in one cell, as an import reads them; without attributes an empty one. */
export const cellsOf = (row: StreamedRow): StreamedRow => {
  const { tags, attributes } = row as Contact;
  return {
    ...row,
    tags: tags.some((tag) => AMBIGUOUS.test(tag)) ? tags : tags.join(";"),
    attributes: Object.keys(attributes).length === 0 ? null : attributes,
  };
};
