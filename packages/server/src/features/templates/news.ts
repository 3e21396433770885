import type { App } from "../../ctx.ts";
import { ALL_SLOTS } from "../../lanes/lane-kinds.ts";
import type { CallbackChange, TemplateNews } from "../../provider/provider.ts";
import { noticeDigest } from "../accounts/notice-digest.ts";
import { passOn } from "../accounts/provider-notice.ts";
import { hintTasks } from "../tasks/task.ts";
import { insertNewsRow, type NewsRow } from "./news.store.ts";
import { enqueueTemplateRefetch } from "./refetch.ts";

type Owner = { workspaceId: string; businessAccountId: string };
type TemplateChange = Extract<CallbackChange, { kind: "template" }>;

/**
 * Takes what a callback says of a template of an account; safe to repeat. It becomes an event when the template has been fetched,
 * so that the event has its state, and a send that follows finds it.
 */
export async function takeTemplateNews(
  app: App,
  { workspaceId, businessAccountId }: Owner,
  change: TemplateChange,
  callbackId: string,
): Promise<void> {
  const { providerAccountId, providerTemplateId, at, news, body, reported } = change;
  const now = app.clock.now();
  const isPassedOn = await app.db.transaction(workspaceId, async (sql) => {
    const digest = noticeDigest(["template", providerAccountId, providerTemplateId, at, news]);
    const row = { digest, providerTemplateId, at: dateOf(at), now: new Date(now) };
    if (news !== null) await insertNewsRow(sql, workspaceId, { ...row, ...wordsOf(news) });
    // Also for what looks like a repetition: the provider's times are whole seconds, and the template shows what is new.
    const input = { businessAccountId, providerTemplateId, now, holds: true };
    await enqueueTemplateRefetch(sql, workspaceId, body === undefined ? input : { ...input, body });
    const tx = { sql, workspaceId, now };
    const of = { accountId: businessAccountId, providerAccountId, providerPhoneNumberId: null, at };
    return await passOn(tx, { reported, callbackId, ...of });
  });
  hintTasks(app.notifier, workspaceId);
  if (isPassedOn) app.notifier.hint("deliver", ALL_SLOTS);
}

type Words = Pick<NewsRow, "kind" | "previous" | "current" | "reason" | "detail" | "effectiveAt">;

function wordsOf(news: TemplateNews): Words {
  const none = { previous: null, reason: null, detail: null, effectiveAt: null };
  if ("reason" in news) return { ...none, ...news, current: news.kind };
  return { ...none, ...news, effectiveAt: dateOf("effectiveAt" in news ? news.effectiveAt : null) };
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
