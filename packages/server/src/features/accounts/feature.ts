import type { Feature } from "../../feature.ts";
import { ACCOUNT_EVENTS } from "./events.ts";
import { reportNumbers } from "./number.store.ts";
import { dueAccounts } from "./reconcile.store.ts";
import { RECONCILE_ROUND_MS, reconcileDue } from "./reconcile.ts";
import { accountRoutes } from "./routes.ts";
import { claimRoutes, disconnectAccounts, restrictAccounts } from "./routing.store.ts";
import { sendersOfLanes, sendersOfWorkspaces } from "./senders.store.ts";
import { accountHandlers } from "./tasks/handlers.ts";
import { Verifier } from "./verify.ts";

const tags = { Accounts: "Business accounts at the provider, and their phone numbers." } as const;
const ids = { acc: "business_account", num: "phone_number", sgn: "signup" } as const;
const scopes = ["accounts:read", "accounts:write"] as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** Business accounts and their phone numbers. */
export const accounts: Feature = {
  name: "accounts",
  tags,
  ids,
  scopes,
  grants: {
    business_account: {
      app: "delete, insert, select, update",
      engine:
        "select(checked_at created_at id name portfolio_id provider_account_id reconcile_at status status_reason updated_at workspace_id), update(status status_reason updated_at)",
    },
    business_account_route: { app: "", engine: "delete, insert, select, update" },
    phone_number: {
      app: "delete, insert, select, update",
      engine: "select, update(marketing_probe marketing_refusals marketing_stopped_until updated_at)",
    },
    phone_number_route: { app: "", engine: "delete, insert, select, update" },
    provider_notice: { app: "insert, select, update", engine: "delete, insert, select, update" },
  },
  functions: [
    claimRoutes,
    disconnectAccounts,
    restrictAccounts,
    dueAccounts,
    reportNumbers,
    sendersOfLanes,
    sendersOfWorkspaces,
  ],
  events: [ACCOUNT_EVENTS],
  build: (app, { jobs, senders, templates }) => ({
    routes: accountRoutes({ jobs, senders, verifier: new Verifier() }),
    tasks: accountHandlers(app, {
      forget(workspaceId) {
        senders.forget(workspaceId);
        templates.forget(workspaceId);
      },
    }),
    timers: [
      { name: "reconcile accounts", role: "maintenance", everyMs: RECONCILE_ROUND_MS, run: () => reconcileDue(app) },
    ],
  }),
};
