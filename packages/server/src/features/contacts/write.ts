import type { TxCtx } from "../../ctx.ts";
import { callWithin } from "../../db/call-within.ts";
import { etagOf, requireMatch } from "../../http/headers.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { invalidAt, notFound, Problem, problemAt } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { parsePhone } from "../../lib/phone/phone.ts";
import { whyNoPhone } from "../../lib/phone/phone-text.ts";
import { MOST_ATTRIBUTES, MOST_TAGS } from "../identity/contact-limits.ts";
import { phoneKeys } from "../identity/reported-identifiers.ts";
import { lockContactRow } from "./contact.store.ts";
import { shownContact } from "./contact.ts";
import type { AddTags, Contact, ContactChange, CreateQuery, NewContact } from "./schema.ts";
import { type ContactWrite, type WriteOutcome, writeContacts } from "./write.store.ts";

/** A row without what all rows of a client have in common. */
type NewWrite = Omit<ContactWrite, "workspace_id" | "source" | "said_at">;

/** Creates a contact; of a person who is known already 409 with the contact's id, or a change of it. */
export async function createContact(
  ctx: TxCtx,
  { body, query }: { body: NewContact; query: CreateQuery },
): Promise<Answer<Contact>> {
  const { outcome, id } = await write(ctx, rowOf(ctx, body, query.on_conflict === "update" ? "upsert" : "create"));
  if (outcome === "exists")
    throw new Problem("contact_exists", `The number is that of ${formatId("con", id)}.`, {
      resourceId: formatId("con", id),
    });
  const answer = await changed(ctx, id, Object.keys(body));
  if (outcome !== "created") return { ...answer, status: 200 };
  return { ...answer, status: 201, headers: { ...answer.headers, location: `/v1/contacts/${answer.body.id}` } };
}

export async function updateContact(
  ctx: TxCtx,
  { params, body, ifMatch }: ById & { body: ContactChange; ifMatch?: string },
): Promise<Answer<Contact>> {
  return await apply(ctx, { params, ifMatch }, changeOf(body), Object.keys(body));
}

export async function addTags(
  ctx: TxCtx,
  { params, body, ifMatch }: ById & { body: AddTags; ifMatch?: string },
): Promise<Answer<Contact>> {
  return await apply(ctx, { params, ifMatch }, { ...NO_CHANGE, add_tags: body.tags }, ["tags"]);
}

export async function removeTag(
  ctx: TxCtx,
  { params, ifMatch }: { params: { id: string; tag: string }; ifMatch?: string },
): Promise<Answer<Contact>> {
  return await apply(ctx, { params, ifMatch }, { ...NO_CHANGE, remove_tags: [params.tag] }, ["tags"]);
}

async function apply(
  ctx: TxCtx,
  { params, ifMatch }: { params: { id: string }; ifMatch?: string | undefined },
  change: Change,
  fields: readonly string[],
): Promise<Answer<Contact>> {
  const id = uuidOfPath("con", params.id);
  const known = await lockContactRow(ctx.sql, ctx.workspaceId, id);
  if (!known) throw notFound();
  requireMatch(ifMatch, etagOf(known.revision));
  const written = await write(ctx, { ...change, ...NO_NAMES, mode: "update", contact_id: id });
  return await changed(ctx, written.id, fields);
}

async function write(ctx: TxCtx, row: NewWrite): Promise<{ outcome: WriteOutcome; id: string }> {
  const [answer] = await writeAll(ctx, [row]);
  if (!answer || answer.outcome === "not_found" || answer.id === null) throw notFound();
  const refusal = refusalOf(answer.outcome);
  if (refusal !== null) throw refusal;
  return { outcome: answer.outcome, id: answer.id };
}

/** One answer for each row, in their order. */
export async function writeAll(
  { sql, workspaceId, now }: TxCtx,
  rows: readonly NewWrite[],
): Promise<{ outcome: WriteOutcome; id: string | null }[]> {
  const written = rows.map((row) => ({
    ...row,
    workspace_id: workspaceId,
    source: "client" as const,
    said_at: undefined,
  }));
  const answers = new Map(
    (await callWithin(sql, writeContacts, written, now)).map((answer) => [answer.of_row, answer]),
  );
  return rows.map(({ contact_id: id }) => answers.get(id) ?? { outcome: "not_found", id: null });
}

/** Null for what is no refusal. */
export function refusalOf(outcome: WriteOutcome): Problem | null {
  if (outcome === "tags") return invalidAt("/tags", `A contact has at most ${MOST_TAGS} tags.`, "too_many");
  if (outcome !== "attributes") return null;
  return invalidAt("/attributes", `A contact has at most ${MOST_ATTRIBUTES} attributes.`, "too_many");
}

/** What the audit log says of it: which fields, and nothing of what they say of a person. */
async function changed(ctx: TxCtx, id: string, fields: readonly string[]): Promise<Answer<Contact>> {
  return { ...(await shownContact(ctx, id)), changes: { fields } };
}

/** The row that creates a contact; throws for a number that cannot be one. */
export const rowOf = ({ now }: Pick<TxCtx, "now">, body: NewContact, mode: "create" | "upsert"): NewWrite => ({
  ...changeOf(body),
  ...namesOf(body.phone),
  add_tags: body.tags,
  mode,
  contact_id: newUuid(now),
});

/** What is to change, without whose. */
type Change = Pick<ContactWrite, "fields" | "attributes" | "consent" | "consent_at" | "add_tags" | "remove_tags">;

/** What a body says of a contact beside its tags. */
const changeOf = ({ name, email, locale, attributes, marketing_consent }: ContactChange): Change => ({
  // Without what is not given.
  fields: JSON.parse(JSON.stringify({ name, email, locale })) as Change["fields"],
  attributes,
  consent: marketing_consent,
  consent_at: undefined,
  add_tags: undefined,
  remove_tags: undefined,
});

const NO_CHANGE = changeOf({});
const NO_NAMES: PhoneColumns = { phone: undefined, phone_key: undefined, phone_loose: undefined, e164: undefined };
type PhoneColumns = Pick<ContactWrite, "phone" | "phone_key" | "phone_loose" | "e164">;

function namesOf(written: string): PhoneColumns {
  const e164 = parsePhone(written);
  if (e164 === null)
    throw problemAt(
      "invalid_phone_number",
      "/phone",
      `The number must begin with \`+\` and a country code, and be possible in that country; ${whyNoPhone(written)}.`,
    );
  const phone = e164.slice(1);
  const { key, loose } = phoneKeys(phone);
  return { phone, phone_key: key, phone_loose: loose, e164 };
}
