import type { App } from "../../../ctx.ts";
import type { ProviderError } from "../../../provider/provider.ts";
import type { TaskHandlers } from "../../tasks/lane.ts";
import { hintTasks } from "../../tasks/task.ts";
import { slotsOfMask } from "../../webhooks/events/event.sql.ts";
import { CHECK, disconnectDead, enqueueCheck } from "../account-failures.ts";
import { check } from "./check-task.ts";
import { CONNECT, type Connected, connect } from "./connect-task.ts";

/**
 * The tasks of this feature, for the lane of all tasks. `onConnected` is called after the commit, at least once for each
 * connection, and must be safe to repeat; `forget` drops what this process has cached of a workspace's senders.
 */
export function accountHandlers(
  app: App,
  onConnected: (connected: Connected) => Promise<void>,
  forget: (workspaceId: string) => void = () => {},
): TaskHandlers {
  const deps = { onConnected, forget };
  return {
    [CONNECT]: (task) => connect(app, deps, task),
    [CHECK]: (task) => check(app, deps, task),
  };
}

/**
 * The provider spoke of the account or its token: a token that is surely dead disconnects the account at once, anything
 * else is looked into by a task.
 */
export async function reportTrouble(
  app: App,
  workspaceId: string,
  accountId: string,
  error: ProviderError | null = null,
): Promise<void> {
  const now = app.clock.now();
  const slotsMask = await app.db.transaction(workspaceId, async (sql) => {
    const dead = error?.tokenDead ? await disconnectDead(sql, workspaceId, accountId, error, now) : null;
    if (dead === null) await enqueueCheck(sql, workspaceId, accountId, now);
    return dead;
  });
  if (slotsMask === null) return hintTasks(app.notifier, workspaceId);
  app.notifier.hint("deliver", slotsOfMask(slotsMask));
  app.log.warn(
    { workspace_id: workspaceId, business_account_id: accountId },
    "account disconnected: its token is dead",
  );
}
