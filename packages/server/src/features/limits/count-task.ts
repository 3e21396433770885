import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { uuidBefore, uuidFloor } from "../../lib/ids.ts";
import type { Task, TaskOutcome } from "../tasks/lane.ts";
import { enqueueTask } from "../tasks/task.ts";
import { countSent, type PageRow, workspacesOfPortfolios } from "./count.store.ts";
import { COUNTS_MS, type CountAgainPayload } from "./ledger.sql.ts";

export const COUNT = "limits.count";
type CountPayload = { portfolio: string };

/** Messages of one call, which holds the portfolio's lock for some milliseconds. */
const MESSAGES_A_CALL = 500;
/** By then no process accepts a message any more in ignorance of the limit: they read it every four seconds. */
const AGAIN_MS = 10_000;

/** Has the people counted whom a portfolio reached before its limit was known, as a step of the transaction that takes the limit. */
export async function enqueueCount(sql: Sql, workspaceId: string, portfolio: string, now: number): Promise<void> {
  const payload: CountPayload = { portfolio };
  await enqueueTask(sql, workspaceId, { kind: COUNT, subject: portfolio, payload, now });
}

/** Counts the people of the last 24 hours in all workspaces of the portfolio, and once more what was accepted meanwhile. */
export async function count(app: App, { payload, attempt, signal }: Task): Promise<TaskOutcome> {
  const { portfolio } = payload as CountPayload; // as enqueued above
  const { db, clock } = app;
  const since = uuidFloor(clock.now() - COUNTS_MS);
  for (const { workspace_id } of await db.call(workspacesOfPortfolios, [{ portfolio }], clock.now())) {
    for (let lo: string | null = since; lo !== null; ) {
      if (signal.aborted) return { kind: "retry", error: STOPPED };
      lo = await countPage(app, { portfolio, workspace_id, lo, most: MESSAGES_A_CALL });
    }
  }
  return attempt === 0 ? { kind: "retry", error: COUNTED_ONCE, at: clock.now() + AGAIN_MS } : { kind: "done" };
}

/** Counts the person whom a message has reached after it had failed. */
export async function countAgain(app: App, { workspaceId, payload }: Task): Promise<TaskOutcome> {
  const { portfolio, message_id } = payload as CountAgainPayload; // as `takeReturns` enqueues it
  await countPage(app, { portfolio, workspace_id: workspaceId, lo: uuidBefore(message_id), most: 1 });
  return { kind: "done" };
}

/** The last message of the page; null: there are no more. */
async function countPage({ db, clock }: App, page: PageRow): Promise<string | null> {
  const [answer] = await db.call(countSent, [page], clock.now());
  return answer?.last ?? null;
}

const STOPPED = { code: "stopped", detail: "The process ended while it was counting; another one counts again." };
const COUNTED_ONCE = { code: "counted_once", detail: "Counted once more for what was being accepted." };
