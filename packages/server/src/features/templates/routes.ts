import { Type } from "typebox";
import type { Ctx } from "../../ctx.ts";
import { idParams } from "../../http/ids.ts";
import { type Answer, type AnyRoute, route } from "../../http/route.ts";
import { hintDeliveries } from "../events/event.ts";
import { hintTasks } from "../tasks/task.ts";
import { Template, TemplateList, TemplateQuery } from "./schema.ts";
import { createTemplate, type SubmitDeps, submitTemplate } from "./submit/create.ts";
import { deleteTemplate, removeTemplate } from "./submit/delete.ts";
import { editTemplate, updateTemplate } from "./submit/edit.ts";
import { NewTemplate, TemplateChange, TemplateSync, TemplateSyncResult, TemplateValidation } from "./submit/schema.ts";
import { readTemplates, syncTemplates } from "./submit/sync.ts";
import { validateTemplate } from "./submit/validate.ts";
import { getTemplate, listTemplates } from "./template.ts";

const READ = { tag: "Templates", auth: "workspace", scope: "templates:read", limitedKeys: "own" } as const;

const WRITE = { tag: "Templates", auth: "workspace", scope: "templates:write" } as const;

/** `forget`: drops what this process has cached of the workspace's templates. */
export type TemplateRouteDeps = SubmitDeps & { forget(workspaceId: string): void };

export const templateRoutes = (deps: TemplateRouteDeps): AnyRoute[] => [...READ_ROUTES, ...writeRoutes(deps)];

const READ_ROUTES: readonly AnyRoute[] = [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/templates",
    summary: "List templates",
    description:
      "The templates of all connected accounts; to a key that is limited to phone numbers, those of the accounts of its numbers. Changes at the provider appear within seconds.",
    action: "template.list",
    query: TemplateQuery,
    status: 200,
    response: TemplateList,
    verb: listTemplates,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/templates/{id}",
    summary: "Get a template",
    description: "The template as last reported by the provider. Its status decides whether it can be sent.",
    action: "template.read",
    params: idParams("tpl"),
    status: 200,
    response: Template,
    etag: true,
    verb: getTemplate,
  }),
];

const AT_PROVIDER = ["provider_rejected", "provider_unavailable", "sender_unavailable", "conflict"] as const;

function writeRoutes(deps: TemplateRouteDeps): AnyRoute[] {
  const after = <Body>(ctx: Ctx, answer: Answer<Body>): Promise<Answer<Body>> => {
    deps.forget(ctx.workspaceId);
    hintTasks(ctx.notifier, ctx.workspaceId);
    return hintDeliveries(ctx, answer);
  };
  return [
    route({
      ...WRITE,
      kind: "write",
      method: "POST",
      path: "/v1/templates",
      summary: "Submit a template",
      description:
        "Submits the template to the provider for review and returns it as the provider answered: usually `pending`, perhaps in another category. Changes of its status follow as events. A definition that the provider documents as wrong is refused with 400 and all of its faults. Returns 422 `provider_rejected` if the provider refuses it: nothing is stored. Returns 502 `provider_unavailable` if the provider's answer was lost and the template cannot be found at the provider yet: a task goes on looking for it, and repeating the request never creates a second one.",
      action: "template.create",
      body: NewTemplate,
      status: 201,
      response: Template,
      etag: true,
      errors: [...AT_PROVIDER, "reference_not_found"],
      before: (ctx, input) => submitTemplate(ctx, input, deps),
      verb: createTemplate,
      after,
    }),
    route({
      ...WRITE,
      kind: "write",
      method: "PATCH",
      path: "/v1/templates/{id}",
      summary: "Edit a template",
      description:
        "Edits the template at the provider, which reviews it again. Components that are given replace all that it has. The provider lets approved, rejected and paused templates be edited; an approved one once in 24 hours and 10 times in 30 days, in its category. Returns 502 `provider_unavailable` if the provider's answer was lost and the template does not show the change: a task goes on reading it.",
      action: "template.update",
      params: idParams("tpl"),
      body: TemplateChange,
      status: 200,
      response: Template,
      etag: true,
      errors: [...AT_PROVIDER, "precondition_failed"],
      before: (ctx, input) => editTemplate(ctx, input, deps),
      verb: updateTemplate,
      after,
    }),
    route({
      ...WRITE,
      kind: "write",
      method: "DELETE",
      path: "/v1/templates/{id}",
      summary: "Delete a template",
      description:
        "Deletes the template of this one language at the provider. It stays in the list as `deleted`, or as `pending_deletion` while the provider still has it. The name of an approved template cannot be used again for 30 days.",
      action: "template.delete",
      params: idParams("tpl"),
      status: 204,
      response: Type.Null(),
      errors: [...AT_PROVIDER, "precondition_failed"],
      before: (ctx, input) => removeTemplate(ctx, input, deps),
      verb: deleteTemplate,
      after,
    }),
    validateRoute(deps),
    syncRoute(deps, after),
  ];
}

const validateRoute = (deps: TemplateRouteDeps): AnyRoute =>
  route({
    ...WRITE,
    kind: "own",
    method: "POST",
    path: "/v1/templates/validate",
    summary: "Validate a template",
    description:
      "Says what a submission of the template would be refused with here, by the same rules. Nothing is submitted or stored, links of samples are not fetched, and an idempotency key is not used; what the provider alone decides shows when it is submitted. A name and language that a template of the account has is a problem `conflict` with the template's id. A body that does not fit its schema is 400, as when it is submitted.",
    operationId: "templates.validate",
    action: "template.validate",
    body: NewTemplate,
    status: 200,
    response: TemplateValidation,
    verb: function validateOneTemplate(ctx, input) {
      return validateTemplate(ctx, input, deps);
    },
  });

const syncRoute = (
  { app }: TemplateRouteDeps,
  after: <Body>(ctx: Ctx, answer: Answer<Body>) => Promise<Answer<Body>>,
): AnyRoute =>
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/templates/sync",
    summary: "Sync templates with the provider",
    description:
      "Reads all templates of one account, or of all, from the provider now. Changes that no callback has reported become events. Accounts are independent of each other: each has a result, also when the provider refuses another one. Returns 202 if the provider has not answered for each account within 10 seconds: a task continues. The gateway reads each account every six hours by itself.",
    action: "template.sync",
    body: TemplateSync,
    bodyOptional: true,
    status: 200,
    otherStatuses: [202],
    response: TemplateSyncResult,
    errors: ["reference_not_found"],
    before: (ctx, input) => readTemplates(ctx, input, app),
    verb: syncTemplates,
    after,
  });
