import type { Ctx, TxCtx } from "../../ctx.ts";
import { mayUseNumber } from "../../http/caller.ts";
import { uuidOfPath } from "../../http/ids.ts";
import { invalidAt, notFound, Problem, referenceNotFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import { isOfAccount } from "../../provider/error-table.ts";
import type { ProviderError } from "../../provider/provider.ts";
import type { LaneSender, Senders } from "../accounts/numbers/senders.ts";
import { providerProblem } from "../accounts/provider-problem.ts";
import { emit } from "../events/event.ts";
import { recordIdsOf } from "../identity/find-contact.ts";
import { type Owner, ownerOf } from "../threads/owner.ts";
import { isNumberOf, lockOwnerRow, type ReachRow, selectReachRow, updateOwnerRow } from "./control.store.ts";
import { conversationOf } from "./conversation.ts";
import { CONVERSATION_EVENTS } from "./events.ts";
import { latestOfPeople } from "./latest.ts";
import type { ContactParams, ControlConversation, Conversation } from "./schema.ts";
import type { LatestRow } from "./store.ts";

/** A person waits for it; the provider answers in tenths of a second. */
const PROVIDER_WITHIN_MS = 8_000;
/** The provider's code for an app that is not the escalation partner. */
const MAY_NOT_TAKE = 2494191;

type Controlling = { params: ContactParams; body: ControlConversation };

/** Who answers once the provider has done it. */
const OWNER_AFTER = { take: "self", release: "none", pass: "other" } as const satisfies Record<
  ControlConversation["action"],
  Owner["role"]
>;

/**
 * Asks the provider for the change, ahead of the transaction that stores it. Throws `provider_rejected` and `provider_unavailable`; of an
 * answer that was lost it is not known whether it was done, and the provider's next report says it.
 */
export async function askForThread(ctx: Ctx, { params, body }: Controlling, senders: Senders): Promise<null> {
  const { action, target_role: targetRole = null } = body;
  if (targetRole !== null && action !== "pass")
    throw invalidAt("/target_role", "Only a conversation that is passed goes to a role.");
  const { reach, phoneNumberId } = await ctx.db.read(ctx.workspaceId, async (sql) => {
    const found = await findConversation({ sql, workspaceId: ctx.workspaceId, actor: ctx.actor }, { params, body });
    return { reach: await selectReachRow(sql, ctx.workspaceId, found), phoneNumberId: found.phone_number_id };
  });
  const sender = await laneSenderOf(ctx, senders, phoneNumberId);
  if (reach === null) throw notFound();
  if (reach.phone === null && reach.user_id === null)
    throw new Problem(
      "conflict",
      "No number and no user id of this person is known that is valid at this phone number.",
    );
  const accessToken = sender ? await senders.accessToken(sender) : null;
  if (!sender || accessToken === null)
    throw new Problem("sender_unavailable", "The account of this phone number is not connected.");
  await control(ctx, { sender, accessToken, reach, action, targetRole }, senders);
  return null;
}

type Asked = {
  sender: LaneSender;
  accessToken: string;
  reach: ReachRow;
  action: ControlConversation["action"];
  targetRole: string | null;
};

async function control(ctx: Ctx, { sender, accessToken, reach, action, targetRole }: Asked, senders: Senders) {
  const late = new AbortController();
  const cancel = ctx.clock.after(PROVIDER_WITHIN_MS, () => late.abort());
  const answer = await ctx.provider
    .controlThread({
      accessToken,
      providerPhoneNumberId: sender.providerPhoneNumberId,
      to: reach.phone,
      userId: reach.user_id,
      action,
      targetRole,
      signal: AbortSignal.any([ctx.signal, late.signal]),
    })
    .finally(cancel);
  if (answer.ok) return;
  if (isOfAccount(answer.error.class)) senders.reportAccountTrouble(sender, answer.error);
  throw refusalOf(answer.error, action);
}

function refusalOf(error: ProviderError, action: ControlConversation["action"]): Problem {
  if (error.provider?.code !== MAY_NOT_TAKE)
    return providerProblem(error, `The provider did not ${action} the conversation`);
  return new Problem(
    "provider_rejected",
    "Only the escalation partner, whom the business names at the provider, may take a conversation. A message with `take: true` may still take it over.",
    { provider: error.provider },
  );
}

/** The provider has done it: so is the owner here, with an event where that is a change. */
export async function controlConversation(ctx: TxCtx, input: Controlling): Promise<Answer<Conversation>> {
  const { sql, workspaceId, now } = ctx;
  const { body } = input;
  const latest = await findConversation(ctx, input);
  const row = await lockOwnerRow(sql, workspaceId, latest);
  if (row === null) throw notFound();
  const role = OWNER_AFTER[body.action];
  const before = ownerOf(row, now);
  const isNew = before.role !== role;
  const since = isNew || row.owner_since === null ? new Date(now) : row.owner_since;
  // The provider's times are whole seconds: what it reports of this second comes later.
  await updateOwnerRow(sql, workspaceId, latest, { role, since, at: new Date(Math.floor(now / 1_000) * 1_000) });
  const conversation = await conversationOf(ctx, latest);
  if (isNew)
    await emit(ctx, CONVERSATION_EVENTS, {
      kind: role === "self" ? "thread_taken" : "thread_released",
      contact: latest.contact_id,
      resource: latest.phone_number_id,
      phoneNumber: latest.phone_number_id,
      state: { previous_owner: before, owner: { role, since: since.toISOString() } },
      conversation: `${latest.phone_number_id}${latest.contact_id}`,
    });
  return {
    body: conversation,
    resource: { type: "contact", id: formatId("con", latest.contact_id) },
    changes: { phone_number_id: body.phone_number_id, action: body.action, owner: role },
    contactIds: [latest.contact_id],
  };
}

/** The conversation that a request names, with its latest message. */
async function findConversation(
  { sql, workspaceId, actor }: Pick<TxCtx, "sql" | "workspaceId" | "actor">,
  { params, body }: Controlling,
): Promise<LatestRow> {
  const [survivor] = await recordIdsOf(sql, workspaceId, uuidOfPath("con", params.contact_id));
  if (survivor === undefined) throw notFound();
  const number = parseId("num", body.phone_number_id);
  if (number === null || !mayUseNumber(actor, number) || !(await isNumberOf(sql, workspaceId, number)))
    throw referenceNotFound("/phone_number_id", "There is no such phone number.");
  const [latest] = await latestOfPeople(sql, workspaceId, [survivor], { before: null, fetch: 1, numbers: [number] });
  if (latest === undefined) throw notFound();
  return latest;
}

async function laneSenderOf(ctx: Ctx, senders: Senders, phoneNumberId: string): Promise<LaneSender | undefined> {
  const sender = (await senders.ofWorkspace(ctx.workspaceId)).find((one) => one.phoneNumberId === phoneNumberId);
  return sender && (await senders.ofLanes([sender.lane])).get(sender.lane);
}
