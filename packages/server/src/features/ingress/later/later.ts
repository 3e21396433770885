import type { App } from "../../../ctx.ts";
import { ensurePartitionsSince } from "../../../db/partitions.ts";
import { pause } from "../../../lib/clock.ts";
import { DAY_MS } from "../../../lib/duration.ts";
import type { CallbackChange, PastMessage } from "../../../provider/provider.ts";
import { ENTRIES_A_CALL, storePhoneBook } from "../../contacts/phone-book.ts";
import { PAST_A_CALL, storeHistory } from "../../messages/callbacks/history.ts";
import type { NumberOfEvent } from "../../messages/callbacks/taken-row.ts";
import type { Task, TaskOutcome } from "../../tasks/lane.ts";
import { enqueueTask, hintTasks } from "../../tasks/task.ts";
import type { CallbackOwners } from "../callback-owners.ts";
import { loadCallbacks } from "../ingress.store.ts";

/** The task that takes what of a callback is too much for its lane. Its payload has the callback's id. */
export const LATER_TASK = "ingress.later";

/**
 * Leaves the history or the phone book in a callback to a task: a chunk of 3 MiB has ten thousand messages, and what is written to the
 * number meanwhile does not wait for them.
 */
export async function takeLater(
  { db, clock, notifier }: App,
  { workspaceId }: { workspaceId: string },
  callbackId: string,
): Promise<void> {
  const now = clock.now();
  const task = { kind: LATER_TASK, payload: { callback_id: callbackId }, subject: callbackId, now, isLong: true };
  await db.transaction(workspaceId, (sql) => enqueueTask(sql, workspaceId, task));
  hintTasks(notifier, workspaceId);
}

type Later = Extract<CallbackChange, { kind: "history" | "phone_book" }>;

/** Takes the histories and phone books of a callback that are of the task's workspace. Begun again, it writes nothing twice. */
export async function runLater(app: App, owners: CallbackOwners, task: Task): Promise<TaskOutcome> {
  const { callback_id: callbackId } = task.payload as { callback_id: string }; // as `takeLater` wrote it
  const { db, clock, log, provider } = app;
  const [loaded] = await db.call(loadCallbacks, [{ id: callbackId }], clock.now());
  if (!loaded?.body || loaded.received_at === null) {
    log.warn(
      { callback_id: callbackId, workspace_id: task.workspaceId },
      "a callback is no longer kept: its rest is not taken",
    );
    return { kind: "done" };
  }
  const { changes } = provider.parseCallback(loaded.body);
  let taken = 0;
  for (const change of changes) {
    if (change.kind !== "history" && change.kind !== "phone_book") continue;
    const owner = await owners.ofNumberNow(change.providerPhoneNumberId);
    // Another workspace has connected the number since, or has another part of this callback.
    if (owner?.workspaceId !== task.workspaceId) continue;
    const of = { app, owner, signal: task.signal, receivedAt: loaded.received_at.getTime() };
    const some = await takeChange(of, change);
    if (some === null) return { kind: "wait", at: clock.now() };
    taken += some;
  }
  log.info({ callback_id: callbackId, workspace_id: task.workspaceId, taken }, "the rest of a callback was taken");
  return { kind: "done" };
}

type Taking = { app: App; owner: NumberOfEvent; signal: AbortSignal; receivedAt: number };

/** How many are new; null when it had to stop before the end. */
async function takeChange({ app, owner, signal, receivedAt }: Taking, change: Later): Promise<number | null> {
  if (change.kind === "history") {
    const messages = await storable(app, change.messages);
    return await inSteps(app, signal, messages, PAST_A_CALL, (some) => storeHistory(app, owner, some));
  }
  return await inSteps(app, signal, change.entries, ENTRIES_A_CALL, async (some) => {
    await storePhoneBook(app, owner.workspaceId, some, receivedAt);
    return some.length;
  });
}

/** Those that retention would not drop at once, with partitions for their times. */
async function storable({ db, clock, config }: App, messages: readonly PastMessage[]): Promise<PastMessage[]> {
  const now = clock.now();
  const kept = messages.filter(({ at }) => at >= now - config.RETENTION_DAYS.messages * DAY_MS);
  const oldest = kept.reduce((least, { at }) => Math.min(least, at), now);
  await ensurePartitionsSince(db.sql, PLACED_BY_MESSAGE, oldest, now);
  return kept;
}

/** Tables whose rows are placed by the id of a message: what is reported of one later goes there too. */
const PLACED_BY_MESSAGE = ["message", "message_state", "history", "attempt"] as const;

async function inSteps<T>(
  { clock }: App,
  signal: AbortSignal,
  all: readonly T[],
  size: number,
  take: (some: readonly T[]) => Promise<number>,
): Promise<number | null> {
  let taken = 0;
  for (let at = 0; at < all.length; at += size) {
    if (signal.aborted) return null;
    const started = clock.monotonic();
    taken += await take(all.slice(at, at + size));
    // No person waits for it: the database has as much time for others.
    if (at + size < all.length) await pause(clock, Math.ceil(clock.monotonic() - started), signal);
  }
  return taken;
}
