import { type Reported, type ReportedUpdate, reportOrReturn } from "../simulation/report.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { setComponents, type Template, type TemplateComponent, type TemplateStatus } from "../world/template.ts";
import type { Account } from "../world/world.ts";

/**
 * How news of a template are reported. With `apply: false` the callback says something that the template itself does not,
 * with `report: false` the template changes and no callback says so. `without_name` leaves out name and language.
 */
type NewsInput = { apply?: boolean; report?: boolean; without_name?: boolean };

/**
 * `status` is an event of `message_template_status_update` (`APPROVED`, `REJECTED`, `PAUSED` …). `extra` is what the callback says
 * beside it, instead of what is usual (`{}`: nothing).
 */
export type DecisionInput = NewsInput & { status: string; reason?: string; extra?: Record<string, unknown> };

/** `previous` when it is not the one that the template has. */
export type QualityInput = NewsInput & { score: string; previous?: string };

/**
 * With `impending` the category changes at `at`, in Unix seconds (a day from now), and not yet. With `detected` it is what the content of a
 * message that was sent directly shows, and nothing changes.
 */
export type CategoryInput = NewsInput & {
  category: string;
  previous?: string;
  impending?: boolean;
  detected?: boolean;
  at?: number;
};

/** The content, when it changes. */
export type ComponentsInput = NewsInput & { components?: readonly TemplateComponent[] };

/** `update` has the template's id as text; `sendUpdate` writes it as the integer that it is on the wire. */
export type TemplateReported = { id: string; status: TemplateStatus } & Reported;

const HOUR_SECONDS = 3600;

/** Moves a template to the state an event stands for and reports it, as a reviewer or the quality rules would. */
export function decideTemplate(
  sim: Simulation,
  account: Account,
  template: Template,
  decision: DecisionInput,
): TemplateReported {
  const event = decision.status;
  const usual = decision.extra === undefined ? usualExtra(sim, template, event, decision.reason) : {};
  if (decision.apply !== false) {
    template.status = STATES[event] ?? template.status;
    template.rejectedReason = event === "REJECTED" ? (decision.reason ?? "INVALID_FORMAT") : "NONE";
    template.decidedAt = sim.clock.nowMs();
    if (event === "PAUSED") template.pauses += 1;
  }
  return reportStatus(sim, account, template, { extra: usual, ...decision });
}

/** The callback of an event alone. */
export function reportStatus(
  sim: Simulation,
  account: Account,
  template: Template,
  decision: DecisionInput,
): TemplateReported {
  const { status: event, reason, extra } = decision;
  const usualReason = event === "REJECTED" ? "INVALID_FORMAT" : "NONE";
  return send(sim, account, template, decision, {
    field: "message_template_status_update",
    value: {
      event,
      message_template_category: template.category,
      reason: event === "PENDING_DELETION" ? null : (reason ?? usualReason),
      ...extra,
    },
  });
}

/** Sets the quality score of a template and reports it. */
export function changeQuality(sim: Simulation, account: Account, template: Template, input: QualityInput) {
  const previous_quality_score = input.previous ?? template.qualityScore;
  if (input.apply !== false) {
    template.qualityScore = input.score;
    template.decidedAt = sim.clock.nowMs();
  }
  return send(sim, account, template, input, {
    field: "message_template_quality_update",
    value: { previous_quality_score, new_quality_score: input.score },
  });
}

/** Moves a template to another category, or announces that it will be. */
export function changeCategory(sim: Simulation, account: Account, template: Template, input: CategoryInput) {
  const category = input.category.toUpperCase();
  const previous = input.previous ?? template.category;
  const dayFromNow = Math.floor(sim.clock.nowMs() / 1000) + 24 * HOUR_SECONDS;
  if (input.detected === true)
    return send(sim, account, template, input, {
      field: "template_correct_category_detection",
      value: { category: previous, correct_category: category },
    });
  // While it is announced, `new_category` is the one that the template has.
  const value =
    input.impending === true
      ? { correct_category: category, new_category: previous, category_update_timestamp: input.at ?? dayFromNow }
      : { previous_category: previous, new_category: category };
  if (input.apply !== false) {
    template.correctCategory = input.impending === true ? category : undefined;
    if (input.impending !== true) {
      template.previousCategory = previous;
      template.category = category;
    }
  }
  return send(sim, account, template, input, { field: "template_category_update", value });
}

/** Changes the content of a template without a review and reports it, as an edit in the provider's own pages does. */
export function changeComponents(sim: Simulation, account: Account, template: Template, input: ComponentsInput) {
  const components = input.components ?? template.components;
  if (input.apply !== false && input.components !== undefined) setComponents(template, components);
  const part = (type: string) => components.find((one) => one.type.toUpperCase() === type);
  const [header, body, footer, buttons] = [part("HEADER"), part("BODY"), part("FOOTER"), part("BUTTONS")?.buttons];
  return send(sim, account, template, input, {
    field: "message_template_components_update",
    value: {
      message_template_element: body?.text ?? "",
      ...(header?.text === undefined ? {} : { message_template_title: header.text }),
      ...(footer?.text === undefined ? {} : { message_template_footer: footer.text }),
      ...(buttons === undefined ? {} : { message_template_buttons: buttons.map(buttonNews) }),
    },
  });
}

function buttonNews({ type, text, url, phone_number }: { type: string; [key: string]: unknown }) {
  return {
    message_template_button_type: type,
    message_template_button_text: text,
    message_template_button_url: url,
    message_template_button_phone_number: phone_number,
  };
}

function send(
  sim: Simulation,
  account: Account,
  template: Template,
  { report, without_name }: NewsInput,
  { field, value }: Omit<ReportedUpdate, "waba_id">,
): TemplateReported {
  const named = {
    message_template_id: template.id,
    ...(without_name === true
      ? {}
      : {
          message_template_name: template.name,
          // A tag in the documentation's samples, with an underscore in the REST API.
          message_template_language:
            sim.settings.templateLanguages === "tag" ? template.language.replace("_", "-") : template.language,
        }),
  };
  const reported = reportOrReturn(sim, account, { field, value: { ...named, ...value }, report });
  return { id: template.id, status: template.status, ...reported };
}

const PAUSES = [
  { title: "FIRST_PAUSE", description: "Paused for 3 hours." },
  { title: "SECOND_PAUSE", description: "Paused for 6 hours." },
] as const;

/** What the callback says beside the event, before the template moves (provider reference 3.6, 4.3). */
function usualExtra(
  sim: Simulation,
  template: Template,
  event: string,
  reason: string | undefined,
): Record<string, unknown> {
  const date = String(Math.floor(sim.clock.nowMs() / 1000));
  switch (event) {
    case "PAUSED":
      return { other_info: PAUSES[Math.min(template.pauses, 1)] };
    case "DISABLED":
      return {
        disable_info: { disable_date: date },
        other_info: { title: "DISABLED", description: "Paused too often." },
      };
    case "APPROVED":
      return template.status === "PAUSED" ? { other_info: { title: "UNPAUSE", description: "Sent again." } } : {};
    case "REJECTED":
      if ((reason ?? "INVALID_FORMAT") !== "INVALID_FORMAT") return {};
      return { rejection_info: { reason: "Leading variable", recommendation: "Add words before it." } };
    default:
      return {};
  }
}

/** FLAGGED and LOCKED are only announced: the state stays what it was. */
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
