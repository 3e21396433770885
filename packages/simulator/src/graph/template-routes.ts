import type { FastifyInstance } from "fastify";
import { isRecord, textOf } from "../lib/shape.ts";
import { graphRefusal, unknownObject } from "../protocol/error.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { deleteTemplates, submitTemplate, unpauseTemplate } from "../templates/life.ts";
import { isComponent, type Template, type TemplateComponent, type TemplateInput } from "../world/template.ts";
import type { Account } from "../world/world.ts";
import { accountIn, authenticate, type GraphPath, type GraphRequest, pageQuery, parameter } from "./request.ts";
import { listTemplates, templateQuery } from "./template-list.ts";

/** List, submit and delete templates of an account (provider reference 4). */
export function registerTemplateRoutes(app: FastifyInstance, sim: Simulation): void {
  app.get<GraphPath>("/:version/:id/message_templates", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    return listTemplates({ sim, request, account }, templateQuery(request), pageQuery(request));
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
      ...extrasOf(request),
    });
    return { id: template.id, status: template.status, category: template.category };
  });

  app.post<GraphPath>("/:version/:id/unpause", (request) => {
    const accounts = authenticate(sim, request);
    const found = sim.world.templates.get(request.params.id);
    if (found === undefined || !accounts.includes(found.account)) throw unknownObject(request.params.id, "post");
    unpauseTemplate(sim, found.account, found.template);
    return { success: true };
  });

  app.delete<GraphPath>("/:version/:id/message_templates", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    const chosen = chosenBy(request, account);
    if (chosen.length === 0)
      throw graphRefusal(100, "Invalid parameter: Message template not found", { subcode: 2593002 });
    deleteTemplates(sim, account, chosen);
    return { success: true };
  });
}

const MOST_IDS = 100;

/** Of a deletion: every language of a name, one of them by `hsm_id`, or those of `hsm_ids`. */
function chosenBy(request: GraphRequest, account: Account): Template[] {
  const all = [...account.templates.values()];
  const ids = parameter(request, "hsm_ids");
  if (ids !== undefined) {
    const list: unknown = parsedOf(ids);
    if (!Array.isArray(list) || list.length === 0 || list.length > MOST_IDS)
      throw graphRefusal(100, `(#100) Param hsm_ids must be a list of 1 to ${MOST_IDS} ids`);
    const wanted = new Set(list.map(String));
    return all.filter((template) => wanted.has(template.id));
  }
  const name = required(request, "name");
  const id = parameter(request, "hsm_id");
  return all.filter((template) => template.name === name && (id === undefined || template.id === id));
}

/** A JSON text; template ids beyond 2^53 are texts in it. */
function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is stored and given back beside the definition itself. */
export function extrasOf(request: GraphRequest): Partial<TemplateInput> {
  const body: unknown = request.body;
  const given = isRecord(body) ? body : {};
  const { message_send_ttl_seconds: ttl, cta_url_link_tracking_opted_out: optedOut } = given;
  const [subCategory, library] = [parameter(request, "sub_category"), parameter(request, "library_template_name")];
  if (ttl !== undefined && !Number.isInteger(ttl))
    throw graphRefusal(100, "(#100) Param message_send_ttl_seconds must be an integer");
  return {
    ...(ttl === undefined ? {} : { message_send_ttl_seconds: Number(ttl) }),
    ...(subCategory === undefined ? {} : { sub_category: subCategory }),
    ...(library === undefined ? {} : { library_template_name: library }),
    ...(typeof optedOut === "boolean" ? { cta_url_link_tracking_opted_out: optedOut } : {}),
  };
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
