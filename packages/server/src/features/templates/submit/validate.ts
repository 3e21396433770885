import type { Ctx } from "../../../ctx.ts";
import { Problem, unlessRefused } from "../../../http/problem.ts";
import { problemFields } from "../../../http/problem-body.ts";
import type { Answer } from "../../../http/route.ts";
import { formatId } from "../../../lib/ids.ts";
import { selectTemplateRowByName } from "../store.ts";
import { requireAccess } from "./at-provider.ts";
import { accountOf, checkSubmission, type SubmitDeps, submissionOf } from "./create.ts";
import type { NewTemplate, TemplateValidation } from "./schema.ts";

/** Everything that a submission would be refused with before the provider is asked, by the same steps. Nothing is written or fetched. */
export async function validateTemplate(
  ctx: Ctx,
  { body }: { body: NewTemplate },
  deps: SubmitDeps,
): Promise<Answer<TemplateValidation>> {
  const problems: Problem[] = [];
  const submission = submissionOf(body);
  await unlessRefused(problems, () => checkSubmission(submission));
  await unlessRefused(problems, () => deps.samples.check(ctx, submission.components));
  const businessAccountId = await unlessRefused(problems, () => accountOf(ctx, deps.senders, body));
  if (businessAccountId !== null) {
    await unlessRefused(problems, () => requireAccess(deps.app, ctx.workspaceId, businessAccountId));
    await unlessRefused(problems, () => checkIsNew(ctx, { ...submission, businessAccountId }));
  }
  const valid = problems.length === 0;
  return { body: { valid, problems: problems.map((one) => problemFields(one, ctx)) }, unaudited: true };
}

/** The provider has one template of a name and language, and refuses another. */
async function checkIsNew(ctx: Ctx, key: { businessAccountId: string; name: string; language: string }): Promise<void> {
  const { db, workspaceId } = ctx;
  const row = await db.read(workspaceId, (sql) => selectTemplateRowByName(sql, workspaceId, key));
  if (row === null || row.status === "deleted") return;
  throw new Problem(
    "conflict",
    `The account has a template of this name and language, which is ${row.status}. Edit it.`,
    {
      resourceId: formatId("tpl", row.id),
      errors: [
        { pointer: "/name", code: "taken", detail: "Give another name, or edit the template that has this one." },
      ],
    },
  );
}
