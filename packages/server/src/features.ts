import type { App } from "./ctx.ts";
import type { HotFunction } from "./db/hot-function.ts";
import type { Feature } from "./feature.ts";
import { reportTrouble } from "./features/accounts/account-failures.ts";
import { ACCOUNT_FUNCTIONS, accountsFeature } from "./features/accounts/feature.ts";
import { accountEventData } from "./features/accounts/render.ts";
import { Senders } from "./features/accounts/senders.ts";
import { accountHandlers } from "./features/accounts/tasks/handlers.ts";
import { readToken } from "./features/accounts/token.ts";
import { AUDIT_FUNCTIONS, auditFeature } from "./features/audit/feature.ts";
import { Recorder } from "./features/audit/recorder.ts";
import { type ContactRow, renderContact } from "./features/contacts/render.ts";
import { isShared } from "./features/ingress/failures.ts";
import { INGRESS_FUNCTIONS, ingressFeature } from "./features/ingress/feature.ts";
import { replayUnowned } from "./features/ingress/quarantine.ts";
import { Authenticator } from "./features/keys/authenticate.ts";
import { KEY_FUNCTIONS, keysFeature } from "./features/keys/feature.ts";
import { ProviderEvents } from "./features/messages/callbacks/provider-events.ts";
import { MESSAGE_FUNCTIONS, messagesFeature } from "./features/messages/feature.ts";
import { type MessageRow, type MessageState, renderMessage } from "./features/messages/render.ts";
import { RETENTION_FUNCTIONS } from "./features/retention/retention.store.ts";
import { retentionFeature } from "./features/retention/retention.ts";
import { TASK_FUNCTIONS, tasksFeature } from "./features/tasks/feature.ts";
import { JobWaiters } from "./features/tasks/job-waiters.ts";
import { Templates } from "./features/templates/cache.ts";
import { TEMPLATE_FUNCTIONS, templatesFeature } from "./features/templates/feature.ts";
import { requestTemplateRefetch, templateHandlers } from "./features/templates/refetch.ts";
import { templateEventData } from "./features/templates/template.ts";
import { Listeners } from "./features/webhooks/endpoints/listeners.ts";
import { webhookFunctions, webhooksFeature } from "./features/webhooks/feature.ts";
import { WORKSPACE_FUNCTIONS, workspacesFeature } from "./features/workspaces/feature.ts";
import { HTTP_FUNCTIONS } from "./http/request/demand.store.ts";

/** Every hot function of the house: what `migrate` installs. */
export const HOT_FUNCTIONS: readonly HotFunction[] = [
  ...WORKSPACE_FUNCTIONS,
  ...KEY_FUNCTIONS,
  ...AUDIT_FUNCTIONS,
  ...TASK_FUNCTIONS,
  ...ACCOUNT_FUNCTIONS,
  ...TEMPLATE_FUNCTIONS,
  ...MESSAGE_FUNCTIONS,
  ...INGRESS_FUNCTIONS,
  ...webhookFunctions,
  ...RETENTION_FUNCTIONS,
  ...HTTP_FUNCTIONS,
];

export type Features = {
  list: readonly Feature[];
  authenticator: Authenticator;
  recorder: Recorder;
};

/** THE list of features, and the doors between them: who needs what of whom is all here. */
export function buildFeatures(app: App, version: string): Features {
  const authenticator = new Authenticator(app);
  const recorder = new Recorder(app);
  const jobs = new JobWaiters();
  const senders = new Senders(app);
  const templates = new Templates(app);
  const listeners = new Listeners(app);
  const providerEvents = new ProviderEvents(app, listeners, { shared: isShared });
  const forget = (workspaceId: string): void => {
    senders.forget(workspaceId);
    templates.forget(workspaceId);
  };

  const list: Feature[] = [
    workspacesFeature(),
    retentionFeature(app),
    keysFeature(authenticator),
    auditFeature(recorder),
    accountsFeature(jobs, senders),
    templatesFeature(),
    messagesFeature(app, { senders, templates, listeners }, providerEvents),
    ingressFeature(app, {
      reports: providerEvents,
      templateChanged: (workspaceId, businessAccountId, providerTemplateId) =>
        requestTemplateRefetch(app, workspaceId, { businessAccountId, providerTemplateId, now: app.clock.now() }),
    }),
    webhooksFeature(
      app,
      {
        // Rows as JSON from the load function: the same columns as the driver's.
        renderMessage: (row, state) => renderMessage(row as unknown as MessageRow, state as unknown as MessageState),
        renderContact: (row) => renderContact(row as unknown as ContactRow),
        renderResource: (kind, _workspaceId, _resourceId, state) =>
          kind.startsWith("signup_") ? accountEventData(state) : templateEventData(state),
      },
      { version },
    ),
    tasksFeature(app, jobs, {
      ...accountHandlers(app, { onConnected: (connected) => replayUnowned(app, connected), forget }),
      ...templateHandlers(app, {
        accessToken: async (workspaceId, accountId) => (await readToken(app, workspaceId, accountId)).text,
        reportTrouble: (workspaceId, accountId, error) => reportTrouble(app, workspaceId, accountId, error),
      }),
    }),
  ];
  return { list, authenticator, recorder };
}
