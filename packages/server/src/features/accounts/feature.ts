import type { Feature } from "../../feature.ts";
import { emptyEvents } from "./emptied.store.ts";
import { EMPTY_EVENTS_EVERY_MS, emptyOldEvents } from "./emptied.ts";
import { ACCOUNT_EVENTS } from "./events.ts";
import { setPortfolioLimits, staleLimits } from "./limit.store.ts";
import { reportNumbers } from "./numbers/changes.store.ts";
import { NumberHealth } from "./numbers/health.ts";
import { sendersOfLanes, sendersOfWorkspaces } from "./numbers/senders.store.ts";
import { foundElsewhere } from "./provider-ids.store.ts";
import { PROVIDER_NOTICES } from "./provider-notice.ts";
import { dueAccounts } from "./reconcile.store.ts";
import { RECONCILE_ROUND_MS, reconcileDue } from "./reconcile.ts";
import { refreshLimits } from "./refresh-limits.ts";
import { accountRoutes } from "./routes.ts";
import { claimRoutes, disconnectAccounts, heldElsewhere, restrictAccounts } from "./routing.store.ts";
import { linkPageRoutes } from "./setup-links/page-routes.ts";
import { setupLinkRoutes } from "./setup-links/routes.ts";
import { signupRoutes } from "./signup/routes.ts";
import { SignupRunner } from "./signup/runner.ts";
import { sweepSignups } from "./signup/sweep.store.ts";
import { SWEEP_EVERY_MS, sweepDue } from "./signup/sweep.ts";
import { accountHandlers } from "./tasks/handlers.ts";
import { Verifier } from "./verify.ts";

const tags = { Accounts: "Business accounts at the provider, and their phone numbers." } as const;
const ids = { acc: "business_account", num: "phone_number", sgn: "signup", stl: "setup_link" } as const;
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

const REFRESH_EVERY_MS = 10 * 60_000;

/** Business accounts and their phone numbers. */
export const accounts: Feature = {
  name: "accounts",
  tags,
  ids,
  scopes,
  grants: {
    emptied_event: { app: "", engine: "insert, select, update" },
    business_account: {
      app: "delete, insert, select, update",
      engine:
        "select(checked_at created_at id messaging_account_id name portfolio_id provider_account_id reconcile_at status status_reason time_zone updated_at waac_id workspace_id), update(status status_reason updated_at)",
    },
    business_account_route: { app: "", engine: "delete, insert, select, update" },
    embedded_signup: {
      app: "insert, select, update",
      engine:
        "delete, select(has_secrets id status sweep_at workspace_id), update(access_token claim code error has_secrets pin status sweep_at updated_at)",
    },
    phone_number: {
      app: "delete, insert, select, update",
      engine: "select, update(marketing_probe marketing_refusals marketing_stopped_until updated_at)",
    },
    phone_number_pin: { app: "insert, select, update", engine: "" },
    phone_number_route: { app: "", engine: "delete, insert, select, update" },
    provider_notice: { app: "insert, select, update", engine: "delete, insert, select, update" },
    setup_link: { app: "delete, insert, select, update", engine: "delete, select" },
  },
  forgets: {
    without: [
      "emptied_event",
      "business_account",
      "business_account_route",
      "embedded_signup",
      "phone_number",
      "phone_number_pin",
      "phone_number_route",
      "provider_notice",
      "setup_link",
    ],
  },
  moves: {
    business_account_route: "by workspace, as whole rows",
    phone_number_route: "by workspace, as whole rows",
  },
  functions: [
    emptyEvents,
    claimRoutes,
    disconnectAccounts,
    restrictAccounts,
    dueAccounts,
    reportNumbers,
    sendersOfLanes,
    sendersOfWorkspaces,
    heldElsewhere,
    foundElsewhere,
    sweepSignups,
    setPortfolioLimits,
    staleLimits,
  ],
  events: [ACCOUNT_EVENTS, PROVIDER_NOTICES],
  build(app, { taskWaiters, background, senders, templates, recorder, isDevelopment, accountParts: parts }) {
    const deps = {
      ...parts,
      background,
      forget(workspaceId: string): void {
        senders.forget(workspaceId);
        templates.forget(workspaceId);
      },
    };
    const runner = new SignupRunner(app, deps);
    return {
      routes: [
        ...accountRoutes({
          taskWaiters,
          senders,
          parts,
          verifier: new Verifier(),
          health: new NumberHealth(app, senders),
        }),
        ...signupRoutes(runner),
        ...setupLinkRoutes(isDevelopment),
      ],
      rawRoutes: linkPageRoutes(app, { runner, activity: recorder }),
      tasks: accountHandlers(app, deps),
      timers: [
        { name: "reconcile accounts", role: "maintenance", everyMs: RECONCILE_ROUND_MS, run: () => reconcileDue(app) },
        { name: "empty events", role: "maintenance", everyMs: EMPTY_EVENTS_EVERY_MS, run: () => emptyOldEvents(app) },
        { name: "messaging limits", role: "maintenance", everyMs: REFRESH_EVERY_MS, run: () => refreshLimits(app) },
        { name: "sweep signups", role: "maintenance", everyMs: SWEEP_EVERY_MS, run: () => sweepDue(app) },
      ],
      stop: () => runner.stop(),
    };
  },
};
