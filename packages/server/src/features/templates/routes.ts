import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { Template, TemplateList, TemplateQuery } from "./schema.ts";
import { getTemplate, listTemplates } from "./template.ts";

export const templateRoutes = (): AnyRoute[] => [
  route({
    method: "GET",
    path: "/v1/templates",
    auth: "workspace",
    scope: "templates:read",
    tag: "Templates",
    summary: "List templates",
    description: "The templates of all connected accounts. Changes at the provider appear within seconds.",
    action: "template.list",
    kind: "read",
    query: TemplateQuery,
    status: 200,
    response: TemplateList,
    verb: listTemplates,
  }),
  route({
    method: "GET",
    path: "/v1/templates/{id}",
    auth: "workspace",
    scope: "templates:read",
    tag: "Templates",
    summary: "Get a template",
    description: "The template as last reported by the provider. Its status decides whether it can be sent.",
    action: "template.read",
    kind: "read",
    params: idParams("tpl"),
    status: 200,
    response: Template,
    etag: true,
    verb: getTemplate,
  }),
];
