import type { HotFunction } from "../../db/hot-function.ts";
import type { Feature } from "../../feature.ts";
import type { JobWaiters } from "../tasks/job-waiters.ts";
import { accountRoutes } from "./routes.ts";
import { claimRoutes, disconnectAccounts } from "./routing.store.ts";
import { sendersOfLanes, sendersOfWorkspaces } from "./senders.store.ts";
import type { Senders } from "./senders.ts";
import { Verifier } from "./verify.ts";

export const ACCOUNT_FUNCTIONS: readonly HotFunction[] = [
  claimRoutes,
  disconnectAccounts,
  sendersOfLanes,
  sendersOfWorkspaces,
];

/** Business accounts and their phone numbers. */
export const accountsFeature = (jobs: JobWaiters, senders: Senders): Feature => ({
  name: "accounts",
  routes: accountRoutes({ jobs, senders, verifier: new Verifier() }),
});
