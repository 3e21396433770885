import type { FastifyInstance } from "fastify";
import { ACCOUNT_EVENTS, ACCOUNT_FIELDS } from "../accounts/event-values.ts";
import type { AccountEventInput } from "../accounts/events.ts";
import { INBOUND_SAMPLES } from "../people/inbound-samples.ts";
import type { ThreadInput } from "../people/threads.ts";
import type { AppStateInput, EchoInput, HistoryInput } from "../reports/coexistence.ts";
import type { CallInput, ErrorsInput, StatusInput } from "../reports/numbers.ts";
import type { PaymentInput } from "../reports/payments.ts";
import type { UserActionInput } from "../reports/user-actions.ts";
import type { ReportedUpdate } from "../simulation/report.ts";
import type { CategoryInput, ComponentsInput, DecisionInput, QualityInput } from "../templates/news.ts";
import * as schemas from "./report-schemas.ts";
import type { Reports } from "./reports.ts";
import { bodyOrNothing } from "./routes.ts";

type ById = { Params: { id: string } };

/** The part of the control API that has something reported about a number, a template or an account. */
export function registerReportRoutes(app: FastifyInstance, control: Reports): void {
  registerNumberRoutes(app, control);
  registerTemplateNewsRoutes(app, control);
  registerAccountRoutes(app, control);
  app.get("/sim/kinds", () => ({
    inbound_samples: INBOUND_SAMPLES,
    account_events: Object.keys(ACCOUNT_EVENTS),
    account_fields: Object.keys(ACCOUNT_FIELDS),
  }));
}

function registerNumberRoutes(app: FastifyInstance, control: Reports): void {
  created<StatusInput>(app, "/sim/statuses", schemas.status, (input) => control.status(input));
  created<PaymentInput>(app, "/sim/payments", schemas.payment, (input) => control.payment(input));
  created<ErrorsInput>(app, "/sim/errors", schemas.errors, (input) => control.errors(input));
  created<CallInput>(app, "/sim/calls", schemas.call, (input) => control.call(input));
  created<UserActionInput>(app, "/sim/user-actions", schemas.userAction, (input) => control.userAction(input));
  created<ThreadInput>(app, "/sim/threads", schemas.thread, (input) => control.thread(input));
  created<EchoInput>(app, "/sim/echoes", schemas.echo, (input) => control.echo(input));
  created<HistoryInput>(app, "/sim/history", schemas.history, (input) => control.history(input));
  created<AppStateInput>(app, "/sim/app-state", schemas.appState, (input) => control.appState(input));
  created<ReportedUpdate>(app, "/sim/updates", schemas.update, (input) => control.sendUpdate(input));
}

function registerTemplateNewsRoutes(app: FastifyInstance, control: Reports): void {
  app.post<ById & { Body: DecisionInput }>(
    "/sim/templates/:id/decide",
    { schema: { body: schemas.decision } },
    (request) => control.decideTemplate(request.params.id, request.body),
  );
  app.post<ById & { Body: QualityInput }>(
    "/sim/templates/:id/quality",
    { schema: { body: schemas.quality } },
    (request) => control.changeQuality(request.params.id, request.body),
  );
  app.post<ById>("/sim/templates/:id/low-quality", { preValidation: bodyOrNothing }, (request) =>
    control.lowerQuality(request.params.id),
  );
  app.post<ById & { Body: CategoryInput }>(
    "/sim/templates/:id/category",
    { schema: { body: schemas.category } },
    (request) => control.changeCategory(request.params.id, request.body),
  );
  app.post<ById & { Body: ComponentsInput }>(
    "/sim/templates/:id/components",
    { preValidation: bodyOrNothing, schema: { body: schemas.components } },
    (request) => control.changeComponents(request.params.id, request.body),
  );
}

function registerAccountRoutes(app: FastifyInstance, control: Reports): void {
  created<AccountEventInput>(app, "/sim/account-events", schemas.accountEvent, (input) => control.accountEvent(input));
  app.put<ById & { Body: { limit: string; report?: boolean } }>(
    "/sim/accounts/:id/messaging-limit",
    { schema: { body: schemas.messagingLimit } },
    (request) => {
      control.setMessagingLimit(request.params.id, request.body.limit, request.body.report);
      return { success: true };
    },
  );
}

function created<Input>(app: FastifyInstance, path: string, schema: object, run: (input: Input) => object): void {
  app.post(path, { schema: { body: schema } }, (request, reply) => {
    void reply.code(201);
    return run(request.body as Input); // the schema is that of the input
  });
}
