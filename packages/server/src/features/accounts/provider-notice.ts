import type { TxCtx } from "../../ctx.ts";
import { formatId } from "../../lib/ids.ts";
import type { ReportedNotice } from "../../provider/callback-parts.ts";
import { emit } from "../events/event.ts";
import { type EventPart, eventGroup, type PartSource } from "../events/event-groups.ts";
import { insertNoticeRow, selectNamedNumberId } from "./notice.store.ts";
import { noticeDigest } from "./notice-digest.ts";

/**
 * What the provider says of an account, its numbers and templates, for endpoints in its format: each notice as it came, whatever it
 * means here. Which of them become events of ours is decided elsewhere: some only after the provider was asked, some never, because
 * they say twice what happened once.
 */
export const PROVIDER_NOTICES = eventGroup({
  category: "account",
  kinds: [],
  unlisted: ["provider_notice"],
  shapes: [],
  data: () => ({}),
  part: partOfNotice,
});

type NoticeState = ReportedNotice & {
  provider_account_id: string;
  /** Milliseconds. */
  at: number | null;
};

function partOfNotice(event: PartSource): EventPart {
  const { part, value, provider_account_id: providerAccountId, at } = event.state as NoticeState; // as `passOn` wrote it
  return { part, written: { part, value, providerAccountId, at }, own: NOTHING_OF_OURS };
}

const NOTHING_OF_OURS = { isOurs: () => false, namesMessage: () => false };

/** A notice of an account, in a callback. */
export type PassedOn = {
  reported: ReportedNotice;
  callbackId: string;
  accountId: string;
  providerAccountId: string | null;
  providerPhoneNumberId: string | null;
  at: number | null;
};

/** Passes a notice on in the caller's transaction, once, however often the provider repeats it. */
export async function passOn(
  tx: Pick<TxCtx, "sql" | "workspaceId" | "now">,
  { reported, callbackId, accountId, providerAccountId, providerPhoneNumberId, at }: PassedOn,
): Promise<boolean> {
  const { part, value } = reported;
  const digest = noticeDigest(["passed on", part.field, providerAccountId, providerPhoneNumberId, at, value]);
  const row = { digest, at: at === null ? null : new Date(at), now: new Date(tx.now) };
  if (!(await insertNoticeRow(tx.sql, tx.workspaceId, row))) return false;
  const state: NoticeState = {
    part,
    value,
    provider_account_id: providerAccountId ?? formatId("acc", accountId),
    at,
  };
  // What stands in the place of a number's messages, such as its errors, goes where these go.
  const named = { providerIds: providerPhoneNumberId === null ? [] : [providerPhoneNumberId], phones: [] };
  const phoneNumber = await selectNamedNumberId(tx.sql, tx.workspaceId, accountId, named);
  await emit(tx, PROVIDER_NOTICES, {
    kind: "provider_notice",
    businessAccount: accountId,
    ...(phoneNumber === null ? {} : { phoneNumber }),
    state,
    callback: callbackId,
    conversation: accountId,
  });
  return true;
}
