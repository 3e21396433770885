import { type GraphError, graphRefusal } from "./graph-error.ts";
import { drawDelay } from "./random.ts";
import { later, type Simulation } from "./simulation.ts";
import {
  setComponents,
  shapeOf,
  type Template,
  type TemplateInput,
  templateKey,
  variablesOf,
  withCodeText,
} from "./template.ts";
import { decideTemplate, reportStatus } from "./template-news.ts";
import type { Account } from "./world.ts";

const CATEGORIES = ["AUTHENTICATION", "MARKETING", "UTILITY"];
const NAME_CHARS = 512;
const BODY_CHARS = 1024;
const FOOTER_CHARS = 60;
const BUTTONS = 10;
/** A deleted name cannot be used again for 30 days (provider reference 4.3). */
const NAME_LOCK_MS = 30 * 24 * 3_600_000;

/** Adds a template to an account as given, without review and without a callback. */
export function addTemplate(sim: Simulation, account: Account, input: TemplateInput): Template {
  const parameterFormat = (input.parameter_format ?? "POSITIONAL").toUpperCase();
  const components = withCodeText(input.components, input.category);
  const template: Template = {
    id: input.id ?? sim.ids.templateId(),
    order: Math.max(0, ...[...account.templates.values()].map((one) => one.order)) + 1,
    name: input.name,
    language: input.language,
    category: input.category.toUpperCase(),
    status: input.status ?? "APPROVED",
    parameterFormat,
    components,
    shape: shapeOf(components, parameterFormat),
    rejectedReason: "NONE",
    qualityScore: "UNKNOWN",
    correctCategory: undefined,
    previousCategory: undefined,
    pauses: 0,
    decidedAt: sim.clock.nowMs(),
  };
  const key = templateKey(template.name, template.language);
  const replaced = account.templates.get(key);
  if (replaced !== undefined) sim.world.templates.delete(replaced.id);
  account.templates.set(key, template);
  sim.world.templates.set(template.id, { account, template });
  return template;
}

/** A submission over the API: checked, `PENDING`, and approved after the review delay. */
export function submitTemplate(sim: Simulation, account: Account, input: TemplateInput): Template {
  checkSubmission(input);
  if (account.templates.has(templateKey(input.name, input.language))) {
    throw invalid(2388024, `There is already ${input.language} content for this template.`);
  }
  if ((account.lockedNames.get(input.name) ?? 0) > sim.clock.nowMs()) {
    throw invalid(2388023, "The name was deleted and can be used again after 30 days.");
  }
  const template = addTemplate(sim, account, { ...input, status: "PENDING" });
  review(sim, account, template);
  return template;
}

/** An edit: replaces what is given and sends the template back to review. */
export function editTemplate(
  sim: Simulation,
  account: Account,
  template: Template,
  change: Partial<Pick<TemplateInput, "category" | "components">>,
): void {
  if (template.status !== "APPROVED" && template.status !== "REJECTED" && template.status !== "PAUSED") {
    throw invalid(2388039, `A template that is ${template.status} cannot be edited.`);
  }
  const category = change.category ?? template.category;
  const components = change.components ?? template.components;
  checkSubmission({ name: template.name, language: template.language, category, components });
  template.category = category;
  setComponents(template, components);
  template.status = "PENDING";
  review(sim, account, template);
}

/** Deletes every language of a name, or one template, locks the name, and reports each. */
export function deleteTemplates(sim: Simulation, account: Account, templates: readonly Template[]): void {
  for (const template of templates) {
    account.templates.delete(templateKey(template.name, template.language));
    sim.world.templates.delete(template.id);
    if (template.status === "APPROVED") account.lockedNames.set(template.name, sim.clock.nowMs() + NAME_LOCK_MS);
    template.status = "PENDING_DELETION";
    reportStatus(sim, account, template, { status: "PENDING_DELETION" });
  }
}

function review(sim: Simulation, account: Account, template: Template): void {
  if (sim.delays.reviewMs === null) return;
  later(sim, drawDelay(sim.delays.reviewMs, sim.random), () => {
    // Decided by control, edited or deleted meanwhile: the review has nothing left to say.
    if (template.status === "PENDING") decideTemplate(sim, account, template, { status: "APPROVED" });
  });
}

function checkSubmission(input: TemplateInput): void {
  if (!/^[a-z0-9_]+$/.test(input.name) || input.name.length > NAME_CHARS) {
    throw graphRefusal(100, "(#100) Param name must contain only lowercase letters, digits and underscores");
  }
  if (!CATEGORIES.includes(input.category.toUpperCase())) {
    throw graphRefusal(100, `(#100) Param category must be one of {${CATEGORIES.join(", ")}}`);
  }
  if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(input.language)) {
    throw graphRefusal(100, "(#100) Param language must be a supported language code");
  }
  const body = input.components.find((component) => component.type.toUpperCase() === "BODY");
  if (body === undefined) throw graphRefusal(100, "(#100) The parameter components must hold a BODY");
  checkBodyText(body.text ?? "", input.category.toUpperCase() === "AUTHENTICATION");
  for (const component of input.components) {
    if (component.type.toUpperCase() === "FOOTER" && Array.from(component.text ?? "").length > FOOTER_CHARS) {
      throw invalid(2388073, `A footer has at most ${FOOTER_CHARS} characters.`);
    }
    if ((component.buttons ?? []).length > BUTTONS) throw graphRefusal(100, `(#100) At most ${BUTTONS} buttons`);
  }
}

function checkBodyText(text: string, isAuthentication: boolean): void {
  if (text === "" && !isAuthentication) throw invalid(2388072, "The body has no text.");
  if (Array.from(text).length > BODY_CHARS) throw invalid(2388040, `A body has at most ${BODY_CHARS} characters.`);
  if (/^\s*\{\{|\}\}\s*$/.test(text)) {
    throw invalid(2388299, "Variables can't be at the start or end of the template.");
  }
  const numbers = variablesOf(text).filter((name) => /^\d+$/.test(name));
  if (numbers.some((name, index) => Number(name) !== index + 1)) {
    throw invalid(2388072, "Positional variables are counted from {{1}} without gaps.");
  }
}

function invalid(subcode: number, message: string): GraphError {
  return graphRefusal(100, `Invalid parameter: ${message}`, { subcode });
}
