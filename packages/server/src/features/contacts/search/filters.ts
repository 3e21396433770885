import type { TxCtx } from "../../../ctx.ts";
import { invalidAt } from "../../../http/problem.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { seenPhone } from "../../../lib/phone/phone-text.ts";
import { findFilteredContactId } from "../../identity/find-contact.ts";
import { selectContactRow } from "../contact.store.ts";
import type { ContactExportQuery } from "../schema.ts";
import type { Condition } from "./condition.ts";
import { withoutAccents } from "./fold.ts";
import { phoneForms } from "./phone-forms.ts";

/** The index is of groups of three characters. */
const FEWEST_CHARACTERS = 3;

type Reading = Pick<TxCtx, "sql" | "workspaceId">;
type Filters = Omit<ContactExportQuery, "phone" | "segment_id">;

/** What the filters of a list ask of a contact, all of them together. Those that name a person or a segment are the caller's. */
export async function filtersOf(ctx: Reading, query: Filters): Promise<Condition[]> {
  const { tag, marketing_consent: consent, created_after: created, updated_after: updated, q } = query;
  return [
    ...(tag === undefined ? [] : [{ leaf: "tag", value: tag } as const]),
    ...(consent === undefined ? [] : [{ leaf: "consent_in", value: [consent] } as const]),
    ...(created === undefined ? [] : [{ leaf: "created_gt", value: isoOf(created, "?created_after") } as const]),
    ...(updated === undefined ? [] : [{ leaf: "updated_gt", value: isoOf(updated, "?updated_after") } as const]),
    ...(q === undefined ? [] : [await textOf(ctx, q.trim())]),
  ];
}

const isoOf = (text: string, pointer: string): string => new Date(timeOf(text, pointer)).toISOString();

const WRITTEN_NUMBER = /^[+\d\s\p{Pd}()./]+$/u;

/**
 * Contacts with a text. What can be a number, or a part of one, is compared by its digits; of a whole one in another form than the
 * contact's, by those of the person whose it is.
 */
async function textOf(ctx: Reading, text: string): Promise<Condition> {
  if (Array.from(withoutAccents(text)).length < FEWEST_CHARACTERS)
    throw invalidAt("?q", `Search for at least ${FEWEST_CHARACTERS} characters.`, "too_short");
  const seen = seenPhone(text);
  const digits = WRITTEN_NUMBER.test(seen) ? seen.replaceAll(/\D/g, "") : "";
  if (digits.length < FEWEST_CHARACTERS) return { leaf: "text", value: text };
  const id = phoneForms(text) === null ? null : await findFilteredContactId(ctx.sql, ctx.workspaceId, text);
  const person = id === null ? null : await selectContactRow(ctx.sql, ctx.workspaceId, id);
  const texts = [text, digits, person?.phone ?? person?.wa_id ?? digits];
  return { any: [...new Set(texts)].map((value) => ({ leaf: "text", value })) };
}
