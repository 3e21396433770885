import type { CallAnswer, CallCtx, Given, Made } from "../../../http/call.ts";
import { outsideAddress } from "../../../http/outside-address.ts";
import { invalidAt, notFound, Problem } from "../../../http/problem.ts";
import { isOfAccount } from "../../../provider/error-table.ts";
import type { PassedRequest, PassedResult } from "../../../provider/passed-calls.ts";
import type { AccountAccess } from "../../../provider/provider.ts";
import { elsewhere, ownProviderIds } from "../../accounts/provider-ids.ts";
import { providerProblem } from "../../accounts/provider-problem.ts";
import { RECONCILE, type ReconcilePayload } from "../../accounts/reconcile.ts";
import { readAccess } from "../../accounts/token.ts";
import { enqueueTask, hintTasks } from "../../tasks/task.ts";
import { cleanAnswer, cleanError, idsOf, type Known } from "./answer.ts";
import { chosenFields } from "./fields.ts";
import { placed, requireKnown, withoutDropped } from "./given.ts";
import { type Owner, type OwnerDeps, ownerOf, requireFlow, requireTemplates } from "./owner.ts";
import { ownedBy, type PassedCall, segmentsOf } from "./passed-call.ts";
import { contactsNamed, peopleIn } from "./people.ts";
import { Secrets } from "./secrets.ts";

/** The provider takes some tenths of a second, for a flow's JSON some seconds. */
const PASS_WITHIN_MS = 30_000;

type Written = Pick<PassedRequest, "method" | "segments" | "query" | "body">;

/** Passes a call on to the provider, for an object of the caller's, and returns what it says of the caller's own. */
export async function passOn(deps: OwnerDeps, call: PassedCall, ctx: CallCtx, given: Given): Promise<CallAnswer> {
  const kind = ownedBy(call);
  const segments = segmentsOf(call, given.params);
  if (segments === null) throw notFound();
  const owner = await ownerOf(deps, ctx, kind, given.params[kind] ?? "");
  const written = { method: call.method, segments, ...(await parametersOf(deps, call, ctx, given)) };
  const access = await readAccess(deps.app, ctx.workspaceId, owner.businessAccountId);
  if (access === null)
    throw new Problem("sender_unavailable", "The business account is not connected. Connect it again.");
  const ours = await ownProviderIds(ctx);
  if (call.method === "GET") {
    const result = await send(ctx, access, written, ctx.signal);
    return await answered(deps, ctx, { call, owner, written, result, ours });
  }
  const made = { resource: owner.resource, changes: { passed: `${call.method} ${call.path}` } };
  return await ctx.change(made, async (): Promise<Made> => {
    // A client that has gone does not end it: what was begun is seen to its end.
    const result = await send(ctx, access, written);
    const isNothingDone = !(result.ok || result.lost);
    if (call.changesTemplates && !isNothingDone) await readTemplatesAgain(deps, ctx, owner);
    try {
      const answer = await answered(deps, ctx, { call, owner, written, result, ours });
      const people = peopleIn([given.values, answer.body]);
      return { answer, isNothingDone, contacts: (sql) => contactsNamed(sql, ctx.workspaceId, people) };
    } catch (error) {
      if (error instanceof Problem) return { problem: error, isNothingDone };
      if (isNothingDone) throw error;
      ctx.log.error({ err: error, request_id: ctx.requestId, workspace_id: ctx.workspaceId }, UNSHOWN);
      return { problem: new Problem("provider_unavailable", DONE_UNSHOWN, { graph: UNKNOWN }), isNothingDone };
    }
  });
}

const UNSHOWN = "a passed call was answered by the provider, but its answer could not be checked and was not returned";
const DONE_UNSHOWN =
  "The provider has answered this call, and Waypost cannot return its answer now. It may have been done: read before you repeat it.";
const LOST =
  "The provider's answer was lost. It may have done this: read before you repeat it, because repeating may do it twice.";
/** It cannot be known whether it was done: no client is to repeat it by itself. */
const UNKNOWN = { status: 500, code: 1 } as const;

const send = (ctx: CallCtx, access: AccountAccess, written: Written, signal?: AbortSignal): Promise<PassedResult> =>
  ctx.provider.pass({ ...access, ...written, withinMs: PASS_WITHIN_MS, ...(signal === undefined ? {} : { signal }) });

/** What of the parameters is passed on, in its place. */
async function parametersOf(
  deps: OwnerDeps,
  call: PassedCall,
  ctx: CallCtx,
  { values, files }: Given,
): Promise<Pick<Written, "query" | "body">> {
  const { fields, ...rest } = withoutDropped(values);
  if (call.fields === undefined && fields !== undefined) throw invalidAt("?fields", "This call takes no `fields`.");
  if (call.parameters !== undefined) requireKnown(rest, call.parameters);
  if (call.templates !== undefined) await requireTemplates(ctx, rest[call.templates], call.templates);
  if (call.flow !== undefined && rest[call.flow] != null) await requireFlow(deps, ctx, rest[call.flow], call.flow);
  if (fields === undefined || call.fields === undefined) return placed(call.method, rest, files);
  const chosen = chosenFields(fields, call.fields);
  if (chosen === null) return placed(call.method, rest);
  const ours = chosen.numbers.length === 0 ? null : await ownProviderIds(ctx);
  if (ours !== null && !chosen.numbers.every((id) => ours.has(id))) throw notFound();
  return placed(call.method, { ...rest, fields: chosen.text });
}

type Outcome = {
  call: PassedCall;
  owner: Owner;
  written: Written;
  result: PassedResult;
  ours: ReadonlySet<string>;
};

/** The answer of the provider as the caller gets it; throws where there is none. */
async function answered(deps: OwnerDeps, ctx: CallCtx, of: Outcome): Promise<CallAnswer> {
  const { result, call, owner, written } = of;
  if (!result.ok && isOfAccount(result.error.class)) {
    const account = { workspaceId: ctx.workspaceId, businessAccountId: owner.businessAccountId, accountChangedAt: 0 };
    deps.senders.reportAccountTrouble(account, result.error);
  }
  if (result.answer === null) throw unanswered(call, result);
  // The token is not the caller's: clients that hear of a wrong token would replace their key.
  if (!result.ok && result.error.class === "token")
    throw new Problem("sender_unavailable", "The provider refuses the account's token. Connect the account again.");
  const { status, body } = result.answer;
  const known = await knownFor(deps, ctx, of);
  if (result.ok) return { status, body: cleanAnswer(body, known, (query) => pageAddress(ctx, written, query)) };
  const refusal = cleanError(body, known);
  if (refusal === null) throw unanswered(call, result);
  return { status: status >= 400 ? status : 400, body: refusal };
}

/** The refusal of a call without an answer. */
function unanswered(call: PassedCall, result: PassedResult): Problem {
  if (result.ok) throw new Error("a call that was answered has no answer");
  const problem = providerProblem(result.error, "The provider was not asked, or did not answer");
  if (call.method === "GET" || !result.lost) return problem;
  return new Problem("provider_unavailable", LOST, { graph: UNKNOWN });
}

async function knownFor({ app }: OwnerDeps, ctx: CallCtx, { result, ours }: Outcome): Promise<Known> {
  const { PROVIDER_APP_ID, PROVIDER_APP_SECRET, PROVIDER_VERIFY_TOKEN } = app.config;
  const ids = idsOf(result.answer?.body).filter((id) => !ours.has(id));
  return {
    secrets: new Secrets([...result.secrets, ...(PROVIDER_APP_SECRET ?? []), PROVIDER_VERIFY_TOKEN]),
    ours,
    foreign: await elsewhere(ctx, ids),
    appId: PROVIDER_APP_ID,
  };
}

/** The address here of a page of the same list. */
function pageAddress(ctx: CallCtx, { segments, query }: Written, place: URLSearchParams): string {
  const search = new URLSearchParams({ ...query, ...Object.fromEntries(place) });
  if (place.has("after")) search.delete("before");
  else if (place.has("before")) search.delete("after");
  const path = [ctx.config.PROVIDER_API_VERSION, ...segments.map(encodeURIComponent)].join("/");
  return `${outsideAddress(ctx.config)}/${path}?${search.toString()}`;
}

/** What the provider has of the account's templates now is read by a task; without it, at the next regular reading. */
async function readTemplatesAgain(
  { app }: OwnerDeps,
  ctx: CallCtx,
  { businessAccountId: accountId }: Owner,
): Promise<void> {
  const { workspaceId } = ctx;
  const payload: ReconcilePayload = { account_id: accountId };
  const task = { kind: RECONCILE, subject: accountId, payload, now: app.clock.now(), accountId, joins: true };
  try {
    await app.db.transaction(workspaceId, (sql) => enqueueTask(sql, workspaceId, task));
    hintTasks(app.notifier, workspaceId);
  } catch (error) {
    app.log.warn(
      { err: error, workspace_id: workspaceId, business_account_id: accountId },
      "templates were changed at the provider, and reading them again could not be scheduled; the next regular reading finds them",
    );
  }
}
