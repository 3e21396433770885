import type { Ctx, TxCtx } from "../../ctx.ts";
import { mayUseNumber } from "../../http/caller.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { isOfAccount } from "../../provider/error-table.ts";
import type { ProviderError } from "../../provider/provider.ts";
import type { Senders } from "../accounts/numbers/senders.ts";
import { selectReadableRow, updateConversationRowRead } from "./mark-read.store.ts";
import { requireMessage } from "./message.ts";
import { renderMessage } from "./render.ts";
import type { MarkRead, Message } from "./schema.ts";

/** A person waits for it: the provider answers in tens of milliseconds, and a receipt can be sent again. */
const PROVIDER_WITHIN_MS = 8_000;

type Marking = ById & { body: MarkRead };

/**
 * Asks the provider to show an inbound message, and all before it, as read, with `typing` also that a reply is being written. Not
 * where it was asked before and there is nothing to show. Throws `provider_rejected` and `provider_unavailable`.
 */
export async function showRead(ctx: Ctx, { params, body }: Marking, senders: Senders): Promise<null> {
  const id = uuidOfPath("msg", params.id);
  const row = await ctx.db.read(ctx.workspaceId, (sql) => selectReadableRow(sql, ctx.workspaceId, id, ctx.now));
  if (row === null || !mayUseNumber(ctx.actor, row.phone_number_id)) throw notFound();
  if (row.outbound)
    throw new Problem("conflict", "Only a message that a person sent to you can be marked as read; this one is yours.");
  // A business that only watches must not show the person that their message was read.
  if (row.is_others)
    throw new Problem("thread_not_owned", "Another responder owns this conversation; take it before you mark as read.");
  const typing = body.typing === true;
  if (row.provider_message_id === null || (row.read && !typing)) return null;
  const sender = (await senders.ofLanes([row.lane])).get(row.lane);
  const accessToken = sender ? await senders.accessToken(sender) : null;
  if (!sender || accessToken === null)
    throw new Problem("sender_unavailable", "The account of the number that received this message is not connected.");
  const late = new AbortController();
  const cancel = ctx.clock.after(PROVIDER_WITHIN_MS, () => late.abort());
  const marked = await ctx.provider
    .markRead({
      accessToken,
      providerPhoneNumberId: sender.providerPhoneNumberId,
      providerMessageId: row.provider_message_id,
      typing,
      signal: late.signal,
    })
    .finally(cancel);
  if (marked.ok) return null;
  if (isOfAccount(marked.error.class)) senders.reportAccountTrouble(sender, marked.error);
  throw refusalOf(marked.error);
}

function refusalOf(error: ProviderError): Problem {
  // Too many calls, a fault there, or no answer: the same call may succeed later.
  if (error.provider === null || (error.httpStatus ?? 500) >= 500 || PASSING.has(error.class))
    return new Problem("provider_unavailable", `The provider did not mark the message as read: ${textOf(error)}`);
  return new Problem("provider_rejected", `The provider refused to mark the message as read: ${textOf(error)}`, {
    provider: error.provider,
  });
}

const PASSING = new Set<ProviderError["class"]>(["throttle_number", "throttle_pair", "throttle_long", "transient"]);
const textOf = (error: ProviderError): string => error.provider?.title ?? error.detail;

/** The provider shows it as read: so does the conversation, up to this message. */
export async function markMessageRead(ctx: TxCtx, { params, body }: Marking): Promise<Answer<Message>> {
  const { sql, workspaceId } = ctx;
  const id = uuidOfPath("msg", params.id);
  // A merge that committed between the parts of the statement is seen by the next one.
  if ((await updateConversationRowRead(sql, workspaceId, id)) === 0)
    await updateConversationRowRead(sql, workspaceId, id);
  const row = await requireMessage(ctx, params.id);
  return {
    body: renderMessage(row, row, ctx.now),
    resource: { type: "message", id: params.id },
    changes: { typing: body.typing === true },
    contactIds: [row.contact_id],
  };
}
