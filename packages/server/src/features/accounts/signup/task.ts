import type { App } from "../../../ctx.ts";
import type { Task, TaskOutcome } from "../../tasks/lane.ts";
import type { AccountDeps } from "../parts.ts";
import { runSignup } from "./advance.ts";

/** The kind of the task that goes on with a signup. */
export const SIGNUP = "account.signup";
export type SignupPayload = { signup_id: string };

/** How soon a signup that another run works on is looked at again: the run may end with something to wait for. */
const LOOK_AGAIN_MS = 5_000;

/**
 * The task behind `POST /v1/embedded-signups`: goes on with the signup until it has ended, whatever becomes of the process that
 * began it. Tries and pauses are the signup's own; the task only looks when something may be due.
 */
export async function signUp(app: App, deps: AccountDeps, task: Task): Promise<TaskOutcome> {
  const { workspaceId, signal } = task;
  const { signup_id: id } = task.payload as SignupPayload; // as enqueued by the verb
  const end = await runSignup(app, deps, { workspaceId, id, isStopping: () => signal.aborted });
  if (end.kind === "ended") return { kind: "done" };
  const now = app.clock.now();
  const at = Math.max(now, end.isHeld ? Math.min(end.at, now + LOOK_AGAIN_MS) : end.at);
  return { kind: "retry", error: { code: "waits", detail: "The signup waits." }, at };
}
