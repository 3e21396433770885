import { vi } from "vitest";
import type { App } from "../../../ctx.ts";
import { type HttpServer, openServer } from "../../../http/server.ts";
import type { LaneKind } from "../../../lanes/kind.ts";
import { createServices } from "../../../process/services.ts";
import { type Call, injectAs, type Reply } from "../../../testing/call.ts";
import { audit } from "../../audit/feature.ts";
import { Erasure } from "../../contacts/erasure.ts";
import { EventGroups } from "../../events/event-groups.ts";
import { ingress } from "../../ingress/feature.ts";
import { tasks } from "../../tasks/feature.ts";
import { TaskLane } from "../../tasks/lane.ts";
import { startTaskApp, type TaskApp } from "../../tasks/testing/app.ts";
import type { Templates } from "../../templates/cache.ts";
import { templates } from "../../templates/feature.ts";
import { templateHandlers } from "../../templates/refetch.ts";
import { accounts } from "../feature.ts";
import type { Senders } from "../numbers/senders.ts";
import { accountHandlers } from "../tasks/handlers.ts";

export type AccountsApp = TaskApp & {
  senders: Senders;
  templates: Templates;
  /** The task lane with the handlers of both features. */
  kind: LaneKind;
  /** Calls of a workspace, with every scope. */
  as(workspaceId: string): Call;
  /** As dispatch asks for it: with the account's state as in the lane's settings. */
  token(workspaceId: string, accountId: string): Promise<string | null>;
  /** Connects as a client does, and works the task lane meanwhile; resolves with the answer of the `POST`. */
  connect(workspaceId: string, body: object): Promise<Reply>;
};

/** Accounts, templates and tasks on a database of their own behind real HTTP; the test runs the lane itself. */
export async function startAccounts(provider: App["provider"]): Promise<AccountsApp> {
  const functions = [audit, tasks, accounts, templates, ingress].flatMap((feature) => feature.functions ?? []);
  const test = await startTaskApp(functions, provider);
  const { app } = test;
  const services = createServices(app, {
    version: "0.0.0",
    isDevelopment: false,
    events: new EventGroups([]),
    erasure: new Erasure([]),
  });
  const { senders, recorder, taskWaiters, background } = services;
  const forget = (workspaceId: string): void => senders.forget(workspaceId);
  const handlers = {
    ...accountHandlers(app, { ...services.accountParts, background, forget }),
    ...templateHandlers(app, background),
  };
  const kind = new TaskLane(app, taskWaiters, new Map(Object.entries(handlers)));
  const http: HttpServer = await openServer(app, {
    routes: [accounts, templates].flatMap((feature) => feature.build?.(app, services).routes ?? []),
    rawRoutes: [],
    // The bearer is the workspace's id: keys belong to another feature.
    authenticate: (bearer) =>
      Promise.resolve({
        workspaceId: bearer,
        actor: { type: "api_key", id: bearer, name: "test", scopes: ["*"], phoneNumberIds: null },
      }),
    activity: recorder,
    ready: () => Promise.resolve({ ready: true, checks: [] }),
    version: "0.0.0",
  });
  const as = (workspaceId: string): Call => injectAs(http, workspaceId);

  return {
    ...test,
    senders,
    templates: services.templates,
    kind,
    as,
    async token(workspaceId, accountId) {
      const read = "select updated_at from business_account where id = $1";
      const [account] = await test.rows<{ updated_at: Date }>(workspaceId, read, [accountId]);
      const accountChangedAt = account?.updated_at.getTime() ?? 0;
      return await senders.accessToken({ workspaceId, businessAccountId: accountId, accountChangedAt });
    },
    async connect(workspaceId, body) {
      const before = test.hints.length;
      const reply = as(workspaceId)("POST", "/v1/business-accounts", { body });
      // The lane is hinted after the commit.
      await Promise.race([reply, vi.waitFor(() => hinted(test, before), { timeout: 30_000, interval: 5 })]);
      await test.work(kind, workspaceId);
      return await reply;
    },
    async stop() {
      await http.close();
      await recorder.stop();
      await test.stop();
    },
  };
}

function hinted({ hints }: TaskApp, before: number): void {
  if (!hints.slice(before).some(({ kind }) => kind === "task")) throw new Error("no task yet");
}
