import { drawDelay } from "../lib/random.ts";
import { graphRefusal } from "../protocol/error.ts";
import { later, type Simulation } from "../simulation/simulation.ts";
import {
  setComponents,
  shapeOf,
  type Template,
  type TemplateInput,
  templateKey,
  withCodeText,
} from "../world/template.ts";
import type { Account } from "../world/world.ts";
import { changeQuality, decideTemplate, reportStatus } from "./news.ts";
import { templateRefusal } from "./refusal.ts";
import { checkSubmission, checkTerms } from "./submission.ts";

const HOUR_MS = 3_600_000;
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
    sendTtlSeconds: input.message_send_ttl_seconds,
    subCategory: input.sub_category,
    libraryTemplateName: input.library_template_name,
    linkTrackingOptedOut: input.cta_url_link_tracking_opted_out,
    edits: [],
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
  checkSubmission(input, (handle) => sim.uploads.isHandle(handle));
  if (account.templates.has(templateKey(input.name, input.language))) {
    throw templateRefusal(2388024, `There is already ${input.language} content for this template.`);
  }
  if ((account.lockedNames.get(input.name) ?? 0) > sim.clock.nowMs()) {
    throw templateRefusal(2388023, "The name was deleted and can be used again after 30 days.");
  }
  countCreation(sim, account);
  const template = addTemplate(sim, account, { ...input, status: "PENDING" });
  review(sim, account, template);
  return template;
}

function countCreation(sim: Simulation, account: Account): void {
  const { templatesPerAccount, templatesPerHour } = sim.settings;
  if (templatesPerAccount !== null && account.templates.size >= templatesPerAccount)
    throw templateRefusal(2388019, `The account has ${templatesPerAccount} templates already.`);
  const now = sim.clock.nowMs();
  account.creations = account.creations.filter((at) => at > now - HOUR_MS);
  // Which code it is, the reference does not say: that of the account's other limits of calls.
  if (templatesPerHour !== null && account.creations.length >= templatesPerHour)
    throw graphRefusal(
      80007,
      "(#80007) There have been too many template creations for this account in the last hour.",
    );
  account.creations.push(now);
}

export type TemplateEdit = Partial<Pick<TemplateInput, "category" | "components" | "message_send_ttl_seconds">>;

/** An edit: replaces what is given and sends the template back to review. */
export function editTemplate(sim: Simulation, account: Account, template: Template, change: TemplateEdit): void {
  if (template.status !== "APPROVED" && template.status !== "REJECTED" && template.status !== "PAUSED") {
    throw templateRefusal(2388039, `A template that is ${template.status} cannot be edited.`);
  }
  const isApproved = template.status === "APPROVED";
  const category = (change.category ?? template.category).toUpperCase();
  if (isApproved && category !== template.category)
    throw templateRefusal(2388039, "The category of an approved template cannot be edited.");
  const { name, language, parameterFormat } = template;
  const ttl = change.message_send_ttl_seconds ?? template.sendTtlSeconds;
  checkTerms(category, change.message_send_ttl_seconds);
  const ofTtl = ttl === undefined ? {} : { message_send_ttl_seconds: ttl };
  const checked = { name, language, category, parameter_format: parameterFormat, ...ofTtl };
  if (change.components !== undefined)
    checkSubmission({ ...checked, components: change.components }, (handle) => sim.uploads.isHandle(handle));
  if (isApproved) countEdit(sim, template);
  template.category = category;
  template.sendTtlSeconds = ttl;
  if (change.components !== undefined) setComponents(template, change.components);
  template.status = "PENDING";
  review(sim, account, template);
}

/** Approved templates are edited once in 24 hours and 10 times in 30 days (provider reference 4.3). */
function countEdit(sim: Simulation, template: Template): void {
  const now = sim.clock.nowMs();
  const since = (ms: number) => template.edits.filter((at) => at > now - ms).length;
  if (since(24 * HOUR_MS) >= 1) throw templateRefusal(2388039, "An approved template can be edited once in 24 hours.");
  if (since(30 * 24 * HOUR_MS) >= 10)
    throw templateRefusal(2388039, "An approved template can be edited 10 times in 30 days.");
  template.edits.push(now);
}

/** Lifts a pause, as the owner of the account may. */
export function unpauseTemplate(sim: Simulation, account: Account, template: Template): void {
  if (template.status !== "PAUSED")
    throw templateRefusal(2388039, `A template that is ${template.status} cannot be unpaused.`);
  decideTemplate(sim, account, template, { status: "APPROVED" });
}

/** The quality falls to RED: the template is paused, longer the second time, and disabled the third. Answers its state. */
export function lowerQuality(sim: Simulation, account: Account, template: Template): Template["status"] {
  changeQuality(sim, account, template, { score: "RED" });
  const pauses = template.pauses;
  decideTemplate(sim, account, template, { status: pauses >= 2 ? "DISABLED" : "PAUSED" });
  const pause = pauses === 0 ? sim.delays.firstPauseMs : sim.delays.secondPauseMs;
  if (pauses < 2 && pause !== null)
    later(sim, drawDelay(pause, sim.random), () => {
      if (template.status === "PAUSED" && template.pauses === pauses + 1) unpauseTemplate(sim, account, template);
    });
  return template.status;
}

/** Deletes every language of a name, or one template, locks the name, and reports each. */
export function deleteTemplates(sim: Simulation, account: Account, templates: readonly Template[]): void {
  if (templates.some(({ status }) => status === "DISABLED"))
    throw templateRefusal(2388039, "A disabled template cannot be deleted.");
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
