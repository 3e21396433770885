import type { Update } from "./courier.ts";
import { type GraphError, graphRefusal } from "./graph-error.ts";
import { drawDelay } from "./random.ts";
import { later, type Simulation } from "./simulation.ts";
import {
  shapeOf,
  type Template,
  type TemplateInput,
  type TemplateStatus,
  templateKey,
  variablesOf,
} from "./template.ts";
import type { Account } from "./world.ts";

const CATEGORIES = ["AUTHENTICATION", "MARKETING", "UTILITY"];
const NAME_CHARS = 512;
const BODY_CHARS = 1024;
const FOOTER_CHARS = 60;
const BUTTONS = 10;
/** A deleted name cannot be used again for 30 days (provider reference 4.3). */
const NAME_LOCK_MS = 30 * 24 * 3_600_000;

/** What a decision about a template says beside its new state. */
export type Decision = { event: string; reason?: string; extra?: Record<string, unknown> };

/** Adds a template to an account as given, without review and without a callback. */
export function addTemplate(sim: Simulation, account: Account, input: TemplateInput): Template {
  const parameterFormat = (input.parameter_format ?? "POSITIONAL").toUpperCase();
  const template: Template = {
    id: input.id ?? sim.ids.templateId(),
    order: Math.max(0, ...[...account.templates.values()].map((one) => one.order)) + 1,
    name: input.name,
    language: input.language,
    category: input.category.toUpperCase(),
    status: input.status ?? "APPROVED",
    parameterFormat,
    components: input.components,
    shape: shapeOf(input.components, parameterFormat),
    rejectedReason: "NONE",
    qualityScore: "UNKNOWN",
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
  template.components = components;
  template.shape = shapeOf(components, template.parameterFormat);
  template.status = "PENDING";
  review(sim, account, template);
}

/** Moves a template to the state an event stands for and reports it, as a reviewer or the quality rules would. */
export function decideTemplate(sim: Simulation, account: Account, template: Template, decision: Decision): void {
  template.status = statusAfter(decision.event, template.status);
  template.rejectedReason = decision.event === "REJECTED" ? (decision.reason ?? "INVALID_FORMAT") : "NONE";
  template.decidedAt = sim.clock.nowMs();
  report(sim, account, template, decision);
}

/** Deletes every language of a name, or one template, locks the name, and reports each. */
export function deleteTemplates(sim: Simulation, account: Account, templates: readonly Template[]): void {
  for (const template of templates) {
    account.templates.delete(templateKey(template.name, template.language));
    sim.world.templates.delete(template.id);
    if (template.status === "APPROVED") account.lockedNames.set(template.name, sim.clock.nowMs() + NAME_LOCK_MS);
    template.status = "PENDING_DELETION";
    report(sim, account, template, { event: "PENDING_DELETION" });
  }
}

function review(sim: Simulation, account: Account, template: Template): void {
  if (sim.delays.reviewMs === null) return;
  later(sim, drawDelay(sim.delays.reviewMs, sim.random), () => {
    // Decided by control, edited or deleted meanwhile: the review has nothing left to say.
    if (template.status === "PENDING") decideTemplate(sim, account, template, { event: "APPROVED" });
  });
}

function report(sim: Simulation, account: Account, template: Template, decision: Decision): void {
  if (!account.subscribed) return;
  const update: Update = {
    field: "message_template_status_update",
    value: {
      event: decision.event,
      // An integer here, a string in the REST API; and the language as a tag, not with an underscore.
      message_template_id: BigInt(template.id),
      message_template_name: template.name,
      message_template_language: template.language.replace("_", "-"),
      message_template_category: template.category,
      reason: decision.event === "PENDING_DELETION" ? null : (decision.reason ?? template.rejectedReason),
      ...decision.extra,
    },
  };
  sim.courier.enqueue({ entryId: account.id, override: null }, update);
}

const STATES: Readonly<Record<string, TemplateStatus>> = {
  APPROVED: "APPROVED",
  PENDING: "PENDING",
  REJECTED: "REJECTED",
  IN_APPEAL: "IN_APPEAL",
  PAUSED: "PAUSED",
  DISABLED: "DISABLED",
  PENDING_DELETION: "PENDING_DELETION",
  DELETED: "DELETED",
  LIMIT_EXCEEDED: "LIMIT_EXCEEDED",
  ARCHIVED: "ARCHIVED",
  REINSTATED: "APPROVED",
  UNARCHIVED: "APPROVED",
};

// FLAGGED and LOCKED are only announced: the REST state stays what it was.
function statusAfter(event: string, before: TemplateStatus): TemplateStatus {
  return STATES[event] ?? before;
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
    if (component.type.toUpperCase() === "FOOTER" && (component.text ?? "").length > FOOTER_CHARS) {
      throw invalid(2388073, `A footer has at most ${FOOTER_CHARS} characters.`);
    }
    if ((component.buttons ?? []).length > BUTTONS) throw graphRefusal(100, `(#100) At most ${BUTTONS} buttons`);
  }
}

function checkBodyText(text: string, isAuthentication: boolean): void {
  if (text === "" && !isAuthentication) throw invalid(2388072, "The body has no text.");
  if (text.length > BODY_CHARS) throw invalid(2388040, `A body has at most ${BODY_CHARS} characters.`);
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
