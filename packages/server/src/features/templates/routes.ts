import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { Template, TemplateList, TemplateQuery } from "./schema.ts";
import { getTemplate, listTemplates } from "./template.ts";

const READ = { tag: "Templates", auth: "workspace", scope: "templates:read" } as const;

export const TEMPLATE_ROUTES: readonly AnyRoute[] = [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/templates",
    summary: "List templates",
    description: "The templates of all connected accounts. Changes at the provider appear within seconds.",
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
