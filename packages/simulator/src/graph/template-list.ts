import { beginningOf } from "../lib/beginning-of.ts";
import { graphRefusal } from "../protocol/error.ts";
import type { Field } from "../protocol/fields.ts";
import { type PageQuery, pageOf } from "../protocol/page.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { Template } from "../world/template.ts";
import type { Account } from "../world/world.ts";
import { templateNode, USUAL_TEMPLATE_FIELDS } from "./nodes.ts";
import { chosenOf, type GraphRequest, parameter, selectFields } from "./request.ts";

/** Said of an account that may have any number: what a verified business has (documentation of templates: limits). */
const MOST_TEMPLATES = 6000;

/** What the list can be narrowed by; each is the text of a parameter. */
const FILTERS = ["name", "status", "language", "category", "content", "name_or_content", "quality_score"] as const;
type TemplateQuery = { [Name in (typeof FILTERS)[number] | "summary"]?: string | undefined };

export function templateQuery(request: GraphRequest): TemplateQuery {
  return Object.fromEntries([...FILTERS, "summary"].map((name) => [name, parameter(request, name)]));
}

/** A page of an account's templates, at their own path or, with `fields`, as a field of the account. */
export function listTemplates(
  { sim, request, account }: { sim: Simulation; request: GraphRequest; account: Account },
  query: TemplateQuery,
  page: PageQuery,
  fields?: readonly Field[] | null,
): Record<string, unknown> {
  const matching = [...account.templates.values()].filter((template) => matches(query, template));
  const list = pageOf(matching, page, {
    scope: `templates/${account.id}`,
    orderOf: ({ order }) => order,
    render: (template) =>
      fields === undefined
        ? selectFields(request, templateNode(template), USUAL_TEMPLATE_FIELDS)
        : chosenOf(templateNode(template), fields, USUAL_TEMPLATE_FIELDS),
  });
  if (query.summary === undefined) return list;
  const most = sim.settings.templatesPerAccount ?? MOST_TEMPLATES;
  return { ...list, summary: summaryOf(account, { matching: matching.length, most }, query.summary) };
}

function matches(query: TemplateQuery, template: Template): boolean {
  const { name, status, language, category, content, name_or_content, quality_score } = query;
  const contains = (text: string) => contentOf(template).includes(text.toLowerCase());
  return (
    // Parts of names match, as reported of the provider.
    (name === undefined || template.name.includes(name)) &&
    (status === undefined || template.status === status.toUpperCase()) &&
    (language === undefined || template.language === language) &&
    (category === undefined || template.category === category.toUpperCase()) &&
    (content === undefined || contains(content)) &&
    (name_or_content === undefined || template.name.includes(name_or_content) || contains(name_or_content)) &&
    (quality_score === undefined || template.qualityScore === quality_score.toUpperCase())
  );
}

function contentOf({ components }: Template): string {
  return components
    .map(({ text }) => text ?? "")
    .join("\n")
    .toLowerCase();
}

function summaryOf(
  account: Account,
  { matching, most }: { matching: number; most: number },
  asked: string,
): Record<string, unknown> {
  const all: Record<string, unknown> = {
    total_count: matching,
    message_template_count: account.templates.size,
    message_template_limit: most,
    are_translations_complete: areTranslationsComplete(account),
  };
  const names = asked.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) throw graphRefusal(100, `(#100) Unknown summary field (${beginningOf(unknown, 60)})`);
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** Whether each name has every language that the account uses. */
function areTranslationsComplete({ templates }: Account): boolean {
  const all = [...templates.values()];
  const names = new Set(all.map(({ name }) => name));
  const languages = new Set(all.map(({ language }) => language));
  return names.size * languages.size === all.length;
}
