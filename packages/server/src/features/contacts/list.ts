import type { TxCtx } from "../../ctx.ts";
import { uuidOfFilter } from "../../http/ids.ts";
import { DEFAULT_LIMIT, type Page } from "../../http/pagination.ts";
import type { Answer } from "../../http/route.ts";
import { formatId } from "../../lib/ids.ts";
import { contactFiltered } from "../people/person.ts";
import { contactsById } from "./contact.ts";
import type { Contact, ContactListQuery, ListedContact } from "./schema.ts";
import { type Condition, EVERYBODY } from "./search/condition.ts";
import { filtersOf } from "./search/filters.ts";
import { type Find, findChanges, findPage } from "./search/search.ts";
import { conditionOfSegment } from "./segments/condition.ts";

type ContactPage = Page<ListedContact> & { has_more: boolean };

/** Contacts that all filters fit: newest first, or with `sort=updated_at` in the order of their last changes. */
export async function listContacts(ctx: TxCtx, { query }: { query: ContactListQuery }): Promise<Answer<ContactPage>> {
  const filters = await filtersOf(ctx, query);
  const segment = query.segment_id === undefined ? EVERYBODY : await ofSegment(ctx, query.segment_id);
  const contactId =
    query.phone === undefined ? undefined : await contactFiltered(ctx.sql, ctx.workspaceId, query.phone);
  const request = { cursor: query.cursor ?? null, limit: query.limit ?? DEFAULT_LIMIT };
  // What names nothing fits nobody: in the order of changes there are still those who are gone, and a place to go on from.
  const nobody = segment === null || contactId === null;
  const condition: Condition = nobody ? NOBODY : { all: [...filters, segment, ...withId(contactId)] };
  if (query.sort === "updated_at") return { body: await changesOf(ctx, { ...request, condition }) };
  if (nobody) return { body: { data: [], next_cursor: null, has_more: false } };
  const page = await pageOf(ctx, { ...request, condition, contactId });
  return { body: { ...page, has_more: page.next_cursor !== null } };
}

const NOBODY: Condition = { any: [] };
const withId = (id: string | undefined): Condition[] => (id === undefined ? [] : [{ leaf: "id", value: id }]);

/** Null: there is no such segment. */
async function ofSegment(ctx: TxCtx, id: string): Promise<Condition | null> {
  const uuid = uuidOfFilter("seg", id);
  return uuid === null ? null : await conditionOfSegment(ctx, uuid);
}

/** One page of contacts, newest first. */
export async function pageOf(ctx: TxCtx, find: Find): Promise<Page<Contact>> {
  const { ids, cursor } = await findPage(ctx, find);
  const shown = await contactsById(ctx, ids);
  // One that was deleted between the two statements is left out.
  return { data: ids.flatMap((id) => shown.get(id) ?? []), next_cursor: cursor };
}

async function changesOf(ctx: TxCtx, find: Omit<Find, "contactId">): Promise<ContactPage> {
  const { contacts, cursor, more } = await findChanges(ctx, find);
  const there = contacts.filter(({ is_gone }) => !is_gone).map(({ id }) => id);
  const shown = await contactsById(ctx, there);
  const data = contacts.map(
    ({ id }): ListedContact => shown.get(id) ?? { id: formatId("con", id), deleted: true as const },
  );
  return { data, next_cursor: cursor, has_more: more };
}
