import type { Ctx, TxCtx } from "../../ctx.ts";
import { callWithin } from "../../db/call-within.ts";
import { etagOf, requireMatch } from "../../http/headers.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { notFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { pause } from "../../lib/clock.ts";
import { formatId, parseId } from "../../lib/ids.ts";
import { hintDeliveries } from "../events/event.ts";
import type { IdentityResolver } from "../identity/resolver.ts";
import type { Task, TaskOutcome } from "../tasks/lane.ts";
import type { Pace } from "../tasks/pace.ts";
import { enqueueTask, hintTasks } from "../tasks/task.ts";
import { Turn } from "../tasks/turn.ts";
import { lockPersonRow } from "./contact.store.ts";
import { type ErasedRow, endErasures, selectErasedRows } from "./erase.store.ts";
import { type Erasing, forgetInPieces } from "./erase-pieces.ts";
import type { Erasure } from "./erasure.ts";

/** The task that goes on in pieces, such as to empty the messages of an erased person. Its payload has the uuid. */
export const ERASE_TASK = "contacts.erase";

/** A request waits for the messages of its person to be emptied, nearly always all of them; more pieces than these are the task's. */
const AT_ONCE = 4;
/**
 * A call that began before the erasure has ended by then: a statement has 8 s, a queue before it, and a repetition after it. What it
 * wrote is erased as well.
 */
const LATE_MS = 60_000;

/** What waits is learned in milliseconds. An erasure does not wait for a backlog, unless it is of its own person. */
const RESOLVE_WITHIN_MS = 2_000;

/** Learns what is known to be one person, so that no record of an erased person is left because it was to be merged. */
export const resolveWaiting = (ctx: Ctx, identityResolver: IdentityResolver): Promise<void> =>
  Promise.race([identityResolver.resolve(), pause(ctx.clock, RESOLVE_WITHIN_MS)]);

/** Erases a person: every record, whatever names them, and the content of all messages and events. */
export async function deleteContact(
  ctx: TxCtx,
  { params, ifMatch }: ById & { ifMatch?: string },
  erasure: Erasure,
): Promise<Answer<null>> {
  const { sql, workspaceId, now } = ctx;
  const known = await lockPersonRow(sql, workspaceId, uuidOfPath("con", params.id));
  if (!known) throw notFound();
  requireMatch(ifMatch, etagOf(known.revision));
  const erased = await callWithin(sql, erasure.contacts, [{ workspace_id: workspaceId, contact_id: known.id }], now);
  if (erased.length === 0) throw notFound();
  const payload = { contact_id: known.id };
  await enqueueTask(sql, workspaceId, { kind: ERASE_TASK, payload, subject: known.id, now, isLong: true });
  return { body: null, resource: { type: "contact", id: formatId("con", known.id) } };
}

/** Cancels and empties what a person mostly has, before the request is answered. The task does what is left. */
export async function eraseAtOnce(ctx: Ctx, answer: Answer<null>, erasure: Erasure): Promise<Answer<null>> {
  const person = parseId("con", answer.resource?.id ?? "");
  hintTasks(ctx.notifier, ctx.workspaceId);
  if (person !== null) {
    const rows = await erasedRows(ctx, ctx.workspaceId, person);
    await forgetInPieces(ctx, ctx.workspaceId, rows, { erasure, pass: "first", turn: few(AT_ONCE) });
  }
  return await hintDeliveries(ctx, answer);
}

/**
 * Forgets an erased person piece by piece, and a while later what was being written of them meanwhile. Goes on where it ended. A feature
 * that fails holds up no other one, and is tried again for a day.
 */
export async function eraseRest(
  app: Erasing,
  { workspaceId, payload, signal }: Task,
  { erasure, pace }: { erasure: Erasure; pace: Pace },
): Promise<TaskOutcome> {
  const { contact_id: person } = payload as { contact_id: string }; // as `deleteContact` wrote it
  const rows = await erasedRows(app, workspaceId, person);
  // Of some seconds, so that the workspace's other erasures get theirs.
  const turn = (): Turn => new Turn(app, { pace, signal });
  const first = await forgetInPieces(app, workspaceId, rows, { erasure, pass: "first", turn: turn() });
  if (first === "more") return { kind: "wait", at: app.clock.now() };
  const late = Math.max(...rows.map(({ erased_at }) => erased_at.getTime())) + LATE_MS;
  if (app.clock.now() < late) return first === "failed" ? TRY_AGAIN : { kind: "wait", at: late };

  await app.db.call(erasure.late, [{ workspace_id: workspaceId, contact_id: person }], app.clock.now());
  const second = await forgetInPieces(app, workspaceId, rows, { erasure, pass: "late", turn: turn() });
  if (second === "more") return { kind: "wait", at: app.clock.now() };
  if (first === "failed" || second === "failed") return TRY_AGAIN;
  const done = rows.map(({ id }) => ({ workspace_id: workspaceId, contact_id: id }));
  if (done.length > 0) await app.db.call(endErasures, done, app.clock.now());
  return { kind: "done" };
}

/** A request has no turn and does not rest: it takes a few pieces. */
function few(pieces: number): Pick<Turn, "isOver" | "step"> {
  let left = pieces;
  return {
    get isOver() {
      return left <= 0;
    },
    step(_, work) {
      left -= 1;
      return work();
    },
  };
}

/** The cause is in the log. */
const TRY_AGAIN: TaskOutcome = {
  kind: "retry",
  error: { code: "erasure_unfinished", detail: "Part of what is known of an erased person could not be removed yet." },
};

const erasedRows = (app: Erasing, workspaceId: string, person: string): Promise<ErasedRow[]> =>
  app.db.read(workspaceId, (sql) => selectErasedRows(sql, workspaceId, person));
