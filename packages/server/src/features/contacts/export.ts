import type { Ctx } from "../../ctx.ts";
import { keysetPages, ROWS_A_PAGE, type StreamedRow } from "../../http/stream-rows.ts";
import { contactFiltered } from "../people/person.ts";
import { selectContactRow, selectContactRows } from "./contact.store.ts";
import { renderWithWindows } from "./contact.ts";
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
  const { workspaceId } = ctx;
  const { phone } = query;
  yield* keysetPages(ctx, async (sql, before: string | null) => {
    const rows =
      phone === undefined
        ? await selectContactRows(sql, workspaceId, { before, limit: ROWS_A_PAGE })
        : await ofPhone(phone);
    const last = rows.length < ROWS_A_PAGE ? undefined : rows.at(-1);
    return { rows: rows.map((row) => renderWithWindows(row, ctx.now)), next: last?.id ?? null };

    async function ofPhone(text: string) {
      const id = await contactFiltered(sql, workspaceId, text);
      const row = id === null ? null : await selectContactRow(sql, workspaceId, id);
      return row === null ? [] : [row];
    }
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
