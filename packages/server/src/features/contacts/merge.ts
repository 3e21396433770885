import type { TxCtx } from "../../ctx.ts";
import { etagOf, requireMatch } from "../../http/headers.ts";
import { type ById, uuidOfBody, uuidOfPath } from "../../http/ids.ts";
import { invalidAt, notFound, Problem, referenceNotFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId } from "../../lib/ids.ts";
import { mergeByClient } from "../identity/merge-contacts.ts";
import { lockContactRows } from "./contact.store.ts";
import { shownContact } from "./contact.ts";
import type { Contact, MergeContact } from "./schema.ts";

/** Merges another record of a person into a contact, because the workspace says that they are one. Of what is one already, nothing. */
export async function mergeContact(
  ctx: TxCtx,
  { params, body, ifMatch }: ById & { body: MergeContact; ifMatch?: string },
): Promise<Answer<Contact>> {
  const { sql, workspaceId } = ctx;
  const id = uuidOfPath("con", params.id);
  const other = uuidOfBody("con", body.contact_id, "/contact_id");
  if (other === id) throw invalidAt("/contact_id", "A contact cannot be merged with itself.", "same_contact");
  const locked = await lockContactRows(sql, workspaceId, [id, other]);
  const known = locked.get(id);
  if (!known) throw notFound();
  const merged = locked.get(other);
  if (!merged) throw referenceNotFound("/contact_id", UNKNOWN);
  requireMatch(ifMatch, etagOf(known.revision));
  const outcome = await mergeByClient(ctx, { survivor: id, other });
  if (outcome === "two_people")
    throw new Problem(
      "conflict",
      "The provider knows these contacts as two people: each has a user id of its own that is valid now.",
    );
  if (outcome === "not_found") throw notFound();
  if (outcome === "no_other") throw referenceNotFound("/contact_id", UNKNOWN);
  const answer = await shownContact(ctx, id);
  return { ...answer, changes: outcome === "merged" ? { merged_contact_id: formatId("con", merged.id) } : {} };
}

const UNKNOWN = "There is no contact with this id.";
