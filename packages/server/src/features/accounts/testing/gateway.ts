import { vi } from "vitest";
import type { App } from "../../../ctx.ts";
import { type HttpServer, openServer } from "../../../http/server.ts";
import type { LaneKind } from "../../../lanes/kind.ts";
import { type Call, injectAs, type Reply } from "../../../testing/call.ts";
import { AUDIT_FUNCTIONS } from "../../audit/feature.ts";
import { Recorder } from "../../audit/recorder.ts";
import { TASK_FUNCTIONS } from "../../tasks/feature.ts";
import { createJobs } from "../../tasks/job-waiters.ts";
import { taskKind } from "../../tasks/lane.ts";
import { startApp, type TestApp } from "../../tasks/testing/app.ts";
import { createTemplates, type Templates } from "../../templates/cache.ts";
import { TEMPLATE_FUNCTIONS, templatesFeature } from "../../templates/feature.ts";
import { templateHandlers } from "../../templates/refetch.ts";
import { ACCOUNT_FUNCTIONS, accountsFeature } from "../feature.ts";
import { createSenders, openToken, type Senders } from "../senders.ts";
import type { Connected } from "../tasks/connect-task.ts";
import { accountHandlers, reportTrouble } from "../tasks/handlers.ts";

export type Gateway = TestApp & {
  senders: Senders;
  templates: Templates;
  /** The task lane with the handlers of both features. */
  kind: LaneKind;
  /** What was told to be connected; `failNext` makes the next telling throw. */
  connected: Connected[];
  failNext(): void;
  /** Calls of a workspace, with every scope. */
  as(workspaceId: string): Call;
  /** As dispatch asks for it: with the account's state as the lane's settings tell it. */
  token(workspaceId: string, accountId: string): Promise<string | null>;
  /** Connects as a client does, the lane being worked meanwhile: `POST` and its answer. */
  connect(workspaceId: string, body: object): Promise<Reply>;
};

/** Accounts, templates and tasks on a database of their own behind real HTTP; the test works the lane by hand. */
export async function startGateway(provider: App["provider"]): Promise<Gateway> {
  const functions = [...AUDIT_FUNCTIONS, ...TASK_FUNCTIONS, ...ACCOUNT_FUNCTIONS, ...TEMPLATE_FUNCTIONS];
  const test = await startApp(functions, provider);
  const { app } = test;
  const jobs = createJobs();
  const senders = createSenders(app);
  const recorder = new Recorder(app);
  const connected: Connected[] = [];
  let failing = false;
  const onConnected = (one: Connected): Promise<void> => {
    if (failing) {
      failing = false;
      return Promise.reject(new Error("killed here"));
    }
    connected.push(one);
    return Promise.resolve();
  };
  const kind = taskKind(app, jobs, {
    ...accountHandlers(app, onConnected, senders.forget),
    ...templateHandlers(app, {
      accessToken: async (...account) => (await openToken(app, ...account)).text,
      reportTrouble: (...report) => reportTrouble(app, ...report),
    }),
  });
  const features = [accountsFeature(jobs, senders.forget), templatesFeature()];
  const http: HttpServer = await openServer(app, {
    routes: features.flatMap((feature) => feature.routes ?? []),
    rawRoutes: [],
    // The bearer is the workspace: keys are another feature's.
    authenticate: (bearer) =>
      Promise.resolve({ workspaceId: bearer, actor: { type: "api_key", id: bearer, name: "test", scopes: ["*"] } }),
    activity: recorder,
    ready: () => Promise.resolve({ ready: true, checks: [] }),
    version: "0.0.0",
  });
  const as = (workspaceId: string): Call => injectAs(http, workspaceId);

  return {
    ...test,
    senders,
    templates: createTemplates(app),
    kind,
    connected,
    failNext: () => (failing = true),
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
      // The hint comes after the commit.
      await Promise.race([reply, vi.waitFor(() => hinted(test, before), { timeout: 10_000, interval: 5 })]);
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

function hinted({ hints }: TestApp, before: number): void {
  if (!hints.slice(before).some(({ kind }) => kind === "task")) throw new Error("no task yet");
}
