import type { FastifyInstance } from "fastify";
import { graphRefusal } from "./graph-error.ts";
import { accountIn, authenticate, type GraphPath, type GraphRequest, pageQuery, parameter } from "./graph-request.ts";
import { isRecord, textOf } from "./shape.ts";
import type { Simulation } from "./simulation.ts";
import { isComponent, type TemplateComponent } from "./template.ts";
import { deleteTemplates, submitTemplate } from "./template-life.ts";
import { listTemplates, templateQuery } from "./template-list.ts";

/** List, submit and delete templates of an account (provider reference 4). */
export function registerTemplateRoutes(app: FastifyInstance, sim: Simulation): void {
  app.get<GraphPath>("/:version/:id/message_templates", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    return listTemplates(request, account, templateQuery(request), pageQuery(request));
  });

  app.post<GraphPath>("/:version/:id/message_templates", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    const body: unknown = request.body;
    const parameterFormat = parameter(request, "parameter_format");
    const template = submitTemplate(sim, account, {
      name: required(request, "name"),
      language: required(request, "language"),
      category: required(request, "category"),
      ...(parameterFormat === undefined ? {} : { parameter_format: parameterFormat }),
      components: componentsOf(isRecord(body) ? body["components"] : undefined),
    });
    return { id: template.id, status: template.status, category: template.category };
  });

  app.delete<GraphPath>("/:version/:id/message_templates", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    const name = required(request, "name");
    const id = parameter(request, "hsm_id");
    const chosen = [...account.templates.values()].filter(
      (template) => template.name === name && (id === undefined || template.id === id),
    );
    if (chosen.length === 0)
      throw graphRefusal(100, "Invalid parameter: Message template not found", { subcode: 2593002 });
    deleteTemplates(sim, account, chosen);
    return { success: true };
  });
}

/** The components of a submission; throws 100 for what is not a list of typed objects. */
export function componentsOf(value: unknown): TemplateComponent[] {
  if (!Array.isArray(value) || value.length === 0)
    throw graphRefusal(100, "(#100) The parameter components is required.");
  return value.map((component: unknown) => {
    if (!isComponent(component)) throw graphRefusal(100, "(#100) Param components must be an array of typed objects");
    return component;
  });
}

function required(request: GraphRequest, name: string): string {
  const value = parameter(request, name);
  if (textOf(value) === undefined || value === undefined) {
    throw graphRefusal(100, `(#100) The parameter ${name} is required.`);
  }
  return value;
}
