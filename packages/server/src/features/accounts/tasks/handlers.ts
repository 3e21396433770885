import type { App } from "../../../ctx.ts";
import type { TaskHandlers } from "../../tasks/lane.ts";
import { CHECK } from "../account-failures.ts";
import { RECONCILE } from "../reconcile.ts";
import { check } from "./check-task.ts";
import { CONNECT, type ConnectDeps, connect } from "./connect-task.ts";
import { reconcile } from "./reconcile-task.ts";

/** The tasks of this feature, by their kind. */
export const accountHandlers = (app: App, deps: ConnectDeps): TaskHandlers => ({
  [CONNECT]: (task) => connect(app, deps, task),
  [CHECK]: (task) => check(app, deps, task),
  [RECONCILE]: (task) => reconcile(app, deps, task),
});
