import type { Ctx, TxCtx } from "../../../ctx.ts";
import { type ById } from "../../../http/ids.ts";
import type { Answer } from "../../../http/route.ts";
import type { AccountAccess } from "../../../provider/provider.ts";
import { isTemplateGone } from "../refetch.ts";
import type { TemplateRow } from "../store.ts";
import {
  CHANGE_WITHIN_MS,
  readById,
  readByName,
  refusedProblem,
  requireAccess,
  unsettled,
  withinTime,
} from "./at-provider.ts";
import { type SubmitDeps, storeChanged } from "./create.ts";
import { beginChange, type Edited, requireLive } from "./edit.ts";
import { dropIntent, type Intent, releaseIntent } from "./intent.ts";
import type { Seen } from "./stored.ts";

type Deleting = { ctx: Ctx; access: AccountAccess; intent: Intent; row: TemplateRow };
type DeleteInput = ById & { ifMatch?: string };

/**
 * Deletes a template at the provider, ahead of the transaction that stores it. The provider may keep it as `pending_deletion` while
 * messages of it are in flight. A lost answer is settled by reading it.
 */
export async function removeTemplate(ctx: Ctx, { params, ifMatch }: DeleteInput, deps: SubmitDeps): Promise<Edited> {
  const row = await requireLive(ctx, params.id);
  const access = await requireAccess(deps.app, ctx.workspaceId, row.business_account_id);
  const intent = await beginChange(ctx, row, { operation: "delete", definition: null, ifMatch });
  const deleting = { ctx, access, intent, row };
  const providerTemplateId = row.provider_template_id;
  const answer = await withinTime(ctx, CHANGE_WITHIN_MS, (signal) =>
    ctx.provider.deleteTemplate({ ...access, providerTemplateId, name: row.name, signal }),
  );
  const seen = await readAfter(deleting);
  const isDone = seen !== null && (seen.template === null || ENDING.has(seen.template.status));
  if (isDone || answer.ok) {
    await releaseIntent(ctx, intent);
    return { intent, seen: ending(seen, ctx.clock.now()), row };
  }
  if (answer.lost)
    throw await unsettled(
      ctx,
      intent,
      seen === null ? "the provider cannot be asked now" : "the template is still there",
    );
  await dropIntent(ctx, intent);
  const of = { workspaceId: ctx.workspaceId, ...intent };
  throw await refusedProblem(deps.app, of, answer.error, "The template was not deleted");
}

const ENDING: ReadonlySet<string> = new Set(["pending_deletion", "deleted"]);

/** What is known after a deletion that the provider has accepted: a read that still shows the template as before is an older one. */
function ending(seen: Seen | null, now: number): Seen {
  if (seen === null) return { template: null, readAt: now };
  const { template, readAt } = seen;
  if (template === null || ENDING.has(template.status)) return seen;
  return { template: { ...template, status: "pending_deletion" }, readAt };
}

/** What the provider has of it now; null when that cannot be read. */
async function readAfter({ ctx, access, row }: Deleting): Promise<Seen | null> {
  const readAt = ctx.clock.now();
  const read = await readById(ctx, access, row.provider_template_id);
  if (read.ok) return { template: read.value, readAt };
  if (!isTemplateGone(read.error)) return null;
  // It says the same of what this token may no longer see. Only the account's list shows that the template is not there.
  const listed = await readByName(ctx, access, row);
  return listed.ok && listed.value?.providerTemplateId !== row.provider_template_id ? { template: null, readAt } : null;
}

/** Stores the deletion, with its event. */
export async function deleteTemplate(
  ctx: TxCtx,
  _input: DeleteInput,
  { row, ...changed }: Edited,
): Promise<Answer<null>> {
  const { body, resource } = await storeChanged(ctx, changed);
  return {
    body: null,
    ...(resource ? { resource } : {}),
    changes: { status: { before: row.status, after: body.status } },
  };
}
