import type { HotFunction } from "../../db/hot-function.ts";
import type { Feature } from "../../feature.ts";
import type { JobWaiters } from "../tasks/job-waiters.ts";
import { accountRoutes } from "./routes.ts";
import { claimRoutes, disconnectAccounts } from "./routing.store.ts";
import { sendersOfLanes, sendersOfWorkspaces } from "./senders.store.ts";

export const ACCOUNT_FUNCTIONS: readonly HotFunction[] = [
  claimRoutes,
  disconnectAccounts,
  sendersOfLanes,
  sendersOfWorkspaces,
];

/** Business accounts and their phone numbers. `forget` drops what this process has cached of a workspace's senders. */
export const accountsFeature = (jobs: JobWaiters, forget: (workspaceId: string) => void = () => {}): Feature => ({
  name: "accounts",
  routes: accountRoutes(jobs, forget),
});
