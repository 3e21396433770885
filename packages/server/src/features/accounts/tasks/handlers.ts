import type { App } from "../../../ctx.ts";
import type { BackgroundPlaces } from "../../tasks/background.ts";
import type { TaskHandlers } from "../../tasks/lane.ts";
import { CHECK } from "../account-failures.ts";
import type { AccountDeps } from "../parts.ts";
import { RECONCILE } from "../reconcile.ts";
import { SIGNUP, signUp } from "../signup/task.ts";
import { check } from "./check-task.ts";
import { CONNECT, connect } from "./connect-task.ts";
import { reconcile } from "./reconcile-task.ts";

/** The tasks of this feature, by their kind. */
export const accountHandlers = (
  app: App,
  { background, ...deps }: AccountDeps & { background: BackgroundPlaces },
): TaskHandlers => ({
  [CONNECT]: (task) => connect(app, deps, task),
  ...background.reported.within(app, { [CHECK]: (task) => check(app, deps, task) }),
  ...background.periodic.within(app, { [RECONCILE]: (task) => reconcile(app, deps, task) }),
  [SIGNUP]: (task) => signUp(app, deps, task),
});
