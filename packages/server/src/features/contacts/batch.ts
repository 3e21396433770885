import type { TxCtx } from "../../ctx.ts";
import { Problem } from "../../http/problem.ts";
import { problemFields } from "../../http/problem-body.ts";
import type { Answer } from "../../http/route.ts";
import { contactsById } from "./contact.ts";
import type { ContactBatch, ContactBatchResult, NewContact } from "./schema.ts";
import { refusalOf, rowOf, writeAll } from "./write.ts";

type BatchInput = { body: ContactBatch; refused?: ReadonlyMap<number, Problem> };
type Result = ContactBatchResult["data"][number];

/** Creates or changes many contacts in one transaction. What one of them lacks refuses that one alone. */
export async function upsertContacts(
  ctx: TxCtx,
  { body: { contacts }, refused = new Map() }: BatchInput,
): Promise<Answer<ContactBatchResult>> {
  const rows = contacts.map((contact, index) => refused.get(index) ?? rowOrProblem(ctx, contact));
  const answers = (await writeAll(ctx, rows.filter(isRow))).values();
  const outcomes = rows.map((row) => (isRow(row) ? (answers.next().value ?? NOTHING) : row));
  const ids = outcomes.flatMap((outcome) => (outcome instanceof Problem ? [] : (outcome.id ?? [])));
  const shown = await contactsById(ctx, ids);
  const data = outcomes.map((outcome, index): Result => {
    const problem = outcome instanceof Problem ? outcome : refusalOf(outcome.outcome);
    if (problem !== null) return { index, error: problemFields(problem, ctx) };
    const written = outcome as Exclude<typeof outcome, Problem>; // problems have returned above
    const contact = shown.get(written.id ?? "");
    if (!contact) throw new Error("an upsert has no contact");
    return { index, outcome: written.outcome as NonNullable<Result["outcome"]>, contact }; // an upsert has no other outcomes
  });
  const count = (name: Result["outcome"]): number => data.filter(({ outcome }) => outcome === name).length;
  return {
    body: { data },
    contactIds: [...shown.keys()],
    changes: { created: count("created"), updated: count("updated") },
  };
}

type Row = ReturnType<typeof rowOf>;
const isRow = (row: Row | Problem): row is Row => !(row instanceof Problem);
const NOTHING = { outcome: "not_found", id: null } as const;

function rowOrProblem(ctx: TxCtx, contact: NewContact): Row | Problem {
  try {
    return rowOf(ctx, contact, "upsert");
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
