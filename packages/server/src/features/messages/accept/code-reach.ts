import type { Database } from "../../../db/database.ts";
import { referenceNotFound } from "../../../http/problem.ts";
import { hasNumber } from "../../identity/find-contact.ts";

/**
 * Throws the Problem of a template with a code to a person of whom only a user id is known, named by `to`, or by `contactId` too:
 * the provider sends those to phone numbers alone, and fails others with 131062 (Cloud API documentation, business-scoped user ids).
 */
export async function checkCodeReaches(
  db: Database,
  workspaceId: string,
  to: string,
  contactId: string | null,
): Promise<void> {
  const reaches = await db.read(workspaceId, (sql) => hasNumber(sql, workspaceId, to));
  // That there is no such contact is found with the other rules.
  if (reaches ?? contactId !== null) return;
  throw referenceNotFound(
    "/to",
    "The person cannot be sent a code: no phone number of theirs is known, and templates with a code go to phone numbers only.",
  );
}
