import type { TxCtx } from "../../ctx.ts";
import { uuidOfFilter } from "../../http/ids.ts";
import { DEFAULT_LIMIT, type Page } from "../../http/pagination.ts";
import type { Answer } from "../../http/route.ts";
import { formatId } from "../../lib/ids.ts";
import { findFilteredContactId } from "../identity/find-contact.ts";
import { contactsById } from "./contact.ts";
import type { Contact, ContactExportQuery, ContactListQuery, ListedContact } from "./schema.ts";
import { type Condition, EVERY_CONTACT } from "./search/condition.ts";
import { filtersOf } from "./search/filters.ts";
import { type Find, findChanges, findPage } from "./search/search.ts";
import { conditionOfSegment } from "./segments/condition.ts";

type ContactPage = Page<ListedContact> & { has_more: boolean };

type Reading = Pick<TxCtx, "sql" | "workspaceId" | "now" | "actor">;

/** Contacts that all filters fit: newest first, or with `sort=updated_at` in the order of their last changes. */
export async function listContacts(ctx: TxCtx, { query }: { query: ContactListQuery }): Promise<Answer<ContactPage>> {
  const asked = await askedBy(ctx, query);
  const request = { cursor: query.cursor ?? null, limit: query.limit ?? DEFAULT_LIMIT };
  // What names nothing fits no contact: in the order of changes there are still those who are gone, and a place to go on from.
  if (query.sort === "updated_at")
    return { body: await changesOf(ctx, { ...request, condition: asked?.condition ?? NO_CONTACT }) };
  if (asked === null) return { body: { data: [], next_cursor: null, has_more: false } };
  const found = await pageOf(ctx, { ...request, ...asked });
  const page = found.data.length > 0 ? found : ((await pageOfSurvivor(ctx, query, asked.contactId)) ?? found);
  return { body: { ...page, has_more: page.next_cursor !== null } };
}

/** A person whom a number names may have been merged since it was looked up: the page of the survivor, else null. */
async function pageOfSurvivor(
  ctx: Reading,
  query: ContactListQuery,
  contactId: string | undefined,
): Promise<Page<Contact> | null> {
  if (contactId === undefined) return null;
  const asked = await askedBy(ctx, query);
  if (asked === null || asked.contactId === contactId) return null;
  return await pageOf(ctx, { cursor: query.cursor ?? null, limit: query.limit ?? DEFAULT_LIMIT, ...asked });
}

/** What the filters of a list or an export ask of a contact; null: they name what is not there, and fit no contact. */
export async function askedBy(
  ctx: Reading,
  query: ContactExportQuery,
): Promise<Pick<Find, "condition" | "contactId"> | null> {
  const filters = await filtersOf(ctx, query);
  const segment = query.segment_id === undefined ? EVERY_CONTACT : await ofSegment(ctx, query.segment_id);
  const contactId =
    query.phone === undefined ? undefined : await findFilteredContactId(ctx.sql, ctx.workspaceId, query.phone);
  if (segment === null || contactId === null) return null;
  return { condition: { all: [...filters, segment, ...withId(contactId)] }, contactId };
}

const NO_CONTACT: Condition = { any: [] };
const withId = (id: string | undefined): Condition[] => (id === undefined ? [] : [{ leaf: "id", value: id }]);

/** Null: there is no such segment. */
async function ofSegment(ctx: Reading, id: string): Promise<Condition | null> {
  const uuid = uuidOfFilter("seg", id);
  return uuid === null ? null : await conditionOfSegment(ctx, uuid);
}

/** One page of contacts, newest first. */
export async function pageOf(ctx: Reading, find: Find): Promise<Page<Contact>> {
  const { ids, cursor } = await findPage(ctx, find);
  const shown = await contactsById(ctx, ids);
  // One that was deleted between the two statements is left out.
  return { data: ids.flatMap((id) => shown.get(id) ?? []), next_cursor: cursor };
}

async function changesOf(ctx: Reading, find: Omit<Find, "contactId">): Promise<ContactPage> {
  const { contacts, cursor, more } = await findChanges(ctx, find);
  const there = contacts.filter(({ is_gone }) => !is_gone).map(({ id }) => id);
  const shown = await contactsById(ctx, there);
  const data = contacts.map(
    ({ id }): ListedContact => shown.get(id) ?? { id: formatId("con", id), deleted: true as const },
  );
  return { data, next_cursor: cursor, has_more: more };
}
