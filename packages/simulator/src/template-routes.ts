import type { FastifyInstance } from "fastify";
import { graphRefusal, refusal } from "./graph-error.ts";
import { templateNode, USUAL_TEMPLATE_FIELDS } from "./graph-nodes.ts";
import {
  accountIn,
  authenticate,
  type GraphPath,
  type GraphRequest,
  parameter,
  selectFields,
} from "./graph-request.ts";
import { isRecord, textOf } from "./shape.ts";
import type { Simulation } from "./simulation.ts";
import { isComponent, type Template, type TemplateComponent } from "./template.ts";
import { deleteTemplates, submitTemplate } from "./template-life.ts";
import type { Account } from "./world.ts";

/** Templates a page when `limit` is not given, and at most. */
const USUAL_LIMIT = 25;
const MOST_LIMIT = 1000;
const CURSOR = /^QVFI(\d+)$/;

/** List, submit and delete templates of an account (provider reference 4). */
export function registerTemplateRoutes(app: FastifyInstance, sim: Simulation): void {
  app.get<GraphPath>("/:version/:id/message_templates", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    return listTemplates(request, account);
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

function listTemplates(request: GraphRequest, account: Account): Record<string, unknown> {
  const { after, before } = request.query;
  const limit = Math.min(MOST_LIMIT, Math.max(1, Number(request.query["limit"] ?? USUAL_LIMIT) || USUAL_LIMIT));
  const matching = [...account.templates.values()].filter((template) => matches(request, template));
  const lower = after === undefined ? 0 : orderOf(after);
  const upper = before === undefined ? Number.POSITIVE_INFINITY : orderOf(before);
  const within = matching.filter((template) => template.order > lower && template.order < upper);
  const page = before === undefined ? within.slice(0, limit) : within.slice(-limit);
  const data = page.map((template) => selectFields(request, templateNode(template), USUAL_TEMPLATE_FIELDS));
  const first = page[0];
  const last = page.at(-1);
  if (first === undefined || last === undefined) return { data };
  const cursors = { before: `QVFI${first.order}`, after: `QVFI${last.order}` };
  const more = matching.some((template) => template.order > last.order);
  return { data, paging: more ? { cursors, next: nextUrl(request, cursors.after) } : { cursors } };
}

function matches(request: GraphRequest, template: Template): boolean {
  const { name, status, language, category } = request.query;
  return (
    // Parts of names match, as reported of the provider.
    (name === undefined || template.name.includes(name)) &&
    (status === undefined || template.status === status.toUpperCase()) &&
    (language === undefined || template.language === language) &&
    (category === undefined || template.category === category.toUpperCase())
  );
}

function orderOf(cursor: string): number {
  const order = CURSOR.exec(cursor)?.[1];
  if (order === undefined) throw refusal(131059, "The cursor is not one of this list.");
  return Number(order);
}

function nextUrl(request: GraphRequest, after: string): string {
  const url = new URL(request.url, `${request.protocol}://${request.host}`);
  url.searchParams.set("after", after);
  url.searchParams.delete("before");
  return url.href;
}

function required(request: GraphRequest, name: string): string {
  const value = parameter(request, name);
  if (textOf(value) === undefined || value === undefined) {
    throw graphRefusal(100, `(#100) The parameter ${name} is required.`);
  }
  return value;
}
