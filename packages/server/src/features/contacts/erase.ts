import type { App, Ctx, TxCtx } from "../../ctx.ts";
import { callWithin } from "../../db/call-within.ts";
import { etagOf, requireMatch } from "../../http/headers.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { notFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { pause } from "../../lib/clock.ts";
import { formatId, parseId, uuidFloor } from "../../lib/ids.ts";
import { hintDeliveries } from "../events/event.ts";
import type { Learner } from "../people/learner.ts";
import type { Task, TaskOutcome } from "../tasks/lane.ts";
import { enqueueTask, hintTasks } from "../tasks/task.ts";
import { lockPersonRow } from "./contact.store.ts";
import { type ErasedRow, eraseContacts, eraseLate, selectErasedRows } from "./erase.store.ts";

/** The task that empties the messages of an erased person. Its payload has the uuid. */
export const ERASE_TASK = "contacts.erase";

/** A request waits for the messages of its person to be emptied, nearly always all of them; more than these are the task's. */
const AT_ONCE = 4;
/** Of one run of the task: some seconds, so that the workspace's other erasures get their turn. */
const CALLS_A_RUN = 50;
/**
 * A call that began before the erasure has ended by then: a statement has 8 s, a queue before it, and a repetition after it. What it
 * wrote is erased as well.
 */
const LATE_MS = 60_000;
/** A message has its id from before its commit. */
const LATE_IDS_MS = 10 * 60_000;

/** What waits is learned in milliseconds. An erasure does not wait for a backlog, unless it is of its own person. */
const LEARN_WITHIN_MS = 2_000;

/** Learns what is known to be one person, so that no record of somebody erased is left because it was to be merged. */
export const learnWaiting = (ctx: Ctx, learner: Learner): Promise<void> =>
  Promise.race([learner.learn(), pause(ctx.clock, LEARN_WITHIN_MS)]);

/** Erases a person: every record, whatever names them, and the content of all messages and events. */
export async function deleteContact(
  ctx: TxCtx,
  { params, ifMatch }: ById & { ifMatch?: string },
): Promise<Answer<null>> {
  const { sql, workspaceId, now } = ctx;
  const known = await lockPersonRow(sql, workspaceId, uuidOfPath("con", params.id));
  if (!known) throw notFound();
  requireMatch(ifMatch, etagOf(known.revision));
  const erased = await callWithin(sql, eraseContacts, [{ workspace_id: workspaceId, contact_id: known.id }], now);
  if (erased.length === 0) throw notFound();
  const payload = { contact_id: known.id };
  await enqueueTask(sql, workspaceId, { kind: ERASE_TASK, payload, subject: known.id, now, isLong: true });
  return { body: null, resource: { type: "contact", id: formatId("con", known.id) } };
}

/** Cancels and empties what a person mostly has, before the request is answered. The task does what is left. */
export async function eraseAtOnce(ctx: Ctx, answer: Answer<null>, emptySome: EmptySome): Promise<Answer<null>> {
  const person = parseId("con", answer.resource?.id ?? "");
  hintTasks(ctx.notifier, ctx.workspaceId);
  if (person !== null) await empty(ctx, ctx.workspaceId, person, { emptySome, calls: AT_ONCE, signal: null });
  return await hintDeliveries(ctx, answer);
}

/** Empties the messages of an erased person, and a while later those that were being written meanwhile. Goes on where it ended. */
export async function eraseRest(
  app: Emptying,
  { workspaceId, payload, signal }: Task,
  emptySome: EmptySome,
): Promise<TaskOutcome> {
  const { contact_id: person } = payload as { contact_id: string }; // as `deleteContact` wrote it
  const isWhole = await empty(app, workspaceId, person, { emptySome, calls: CALLS_A_RUN, signal });
  if (!isWhole) return { kind: "wait", at: app.clock.now() };
  const rows = await erasedRows(app, workspaceId, person);
  const late = Math.max(...rows.map(({ erased_at }) => erased_at.getTime())) + LATE_MS;
  if (app.clock.now() < late) return { kind: "wait", at: late };
  await app.db.call(eraseLate, [{ workspace_id: workspaceId, contact_id: person }], app.clock.now());
  for (const { id, erased_at } of rows) {
    const from = uuidFloor(erased_at.getTime() - LATE_IDS_MS);
    for (let before: string | null = null, more = true; more; )
      ({ more, last: before } = await emptySome(app, workspaceId, { contactId: id, before, from, isLast: true }));
  }
  return { kind: "done" };
}

export type Emptying = Pick<App, "db" | "clock" | "notifier">;

/** Part of the messages of a record: ids below `before` and not below `from`, by uuid. */
export type Part = { before: string | null; from: string | null };

/**
 * Takes the content out of some messages of an erased contact's record, from the newest on. Resolves to whether more may be left, and to
 * the last one. Safe to repeat, and to run twice at once. `isLast`: the record is done when no more are left.
 */
export type EmptySome = (
  app: Emptying,
  workspaceId: string,
  part: Part & { contactId: string; isLast: boolean },
) => Promise<{ more: boolean; last: string | null }>;

const erasedRows = (app: Emptying, workspaceId: string, person: string): Promise<ErasedRow[]> =>
  app.db.read(workspaceId, (sql) => selectErasedRows(sql, workspaceId, person));

/** Empties messages from the newest on, below those that are empty; false when so many calls were not enough, or it had to stop. */
async function empty(
  app: Emptying,
  workspaceId: string,
  person: string,
  most: { emptySome: EmptySome; calls: number; signal: AbortSignal | null },
): Promise<boolean> {
  let calls = 0;
  for (const { id, redacted_from, redacted_at } of await erasedRows(app, workspaceId, person)) {
    if (redacted_at !== null) continue;
    for (let before = redacted_from, more = true; more; ) {
      if (calls++ >= most.calls || most.signal?.aborted === true) return false;
      const part = { contactId: id, before, from: null, isLast: false };
      ({ more, last: before } = await most.emptySome(app, workspaceId, part));
    }
  }
  return true;
}
