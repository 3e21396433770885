import { capabilityOf } from "../accounts/event-values.ts";
import { type AccountEventInput, emitAccountEvent } from "../accounts/events.ts";
import {
  type ChangeResult,
  changeNumber,
  changeUserId,
  type MarketingInput,
  type MarketingResult,
  type NumberChangeInput,
  setMarketing,
  type UserIdChangeInput,
} from "../people/identity-changes.ts";
import {
  type ContactCardInput,
  type InboundInput,
  type InboundResult,
  receiveContactCard,
  receiveInbound,
} from "../people/inbound.ts";
import { moveThread, type ThreadInput, type ThreadResult } from "../people/threads.ts";
import {
  type AppStateInput,
  type EchoInput,
  type HistoryInput,
  reportAppState,
  reportEcho,
  reportHistory,
} from "../reports/coexistence.ts";
import {
  type CallInput,
  type ErrorsInput,
  numberOfStatus,
  reportCall,
  reportErrors,
  reportStatus,
  type StatusInput,
} from "../reports/numbers.ts";
import { type PaymentInput, reportPayment } from "../reports/payments.ts";
import { reportUserAction, type UserActionInput } from "../reports/user-actions.ts";
import { personIn } from "../simulation/identity.ts";
import { accountBy, numberBy, numbersIn, templateBy } from "../simulation/objects.ts";
import { type Reported, type ReportedUpdate, report } from "../simulation/report.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { lowerQuality } from "../templates/life.ts";
import {
  type CategoryInput,
  type ComponentsInput,
  changeCategory,
  changeComponents,
  changeQuality,
  type DecisionInput,
  decideTemplate,
  type QualityInput,
  type TemplateReported,
} from "../templates/news.ts";

/** The part of the control that has something reported: each verb changes what it is about, sends the callback and returns it. */
export class Reports {
  readonly #sim: Simulation;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  inbound(input: InboundInput): InboundResult {
    return receiveInbound(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  contactCard(input: ContactCardInput): InboundResult {
    return receiveContactCard(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  /** One result for `phone_number_id` and each number of `also_to`, in this order. */
  changeNumber(input: NumberChangeInput): ChangeResult[] {
    const numbers = numbersIn(this.#sim, input);
    return changeNumber(this.#sim, numbers, personIn(this.#sim, numbers[0], input.person), input);
  }

  /** One result for `phone_number_id` and each number of `also_to`, in this order. */
  changeUserId(input: UserIdChangeInput): ChangeResult[] {
    const numbers = numbersIn(this.#sim, input);
    return changeUserId(this.#sim, numbers, personIn(this.#sim, numbers[0], input.person), input);
  }

  setMarketing(input: MarketingInput): MarketingResult {
    return setMarketing(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  status(input: StatusInput): Reported {
    return reportStatus(this.#sim, numberBy(this.#sim, numberOfStatus(this.#sim, input)), input);
  }

  payment(input: PaymentInput): Reported {
    return reportPayment(this.#sim, numberBy(this.#sim, numberOfStatus(this.#sim, input)), input);
  }

  errors(input: ErrorsInput): Reported {
    return reportErrors(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  call(input: CallInput): Reported & { id: string } {
    return reportCall(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  userAction(input: UserActionInput): Reported {
    return reportUserAction(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  /** What the other responder of a number does with a conversation. */
  thread(input: ThreadInput): ThreadResult {
    return moveThread(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  echo(input: EchoInput): Reported & { id: string } {
    return reportEcho(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  history(input: HistoryInput): Reported {
    return reportHistory(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  appState(input: AppStateInput): Reported {
    return reportAppState(this.#sim, numberBy(this.#sim, input.phone_number_id), input);
  }

  decideTemplate(templateId: string, input: DecisionInput): TemplateReported {
    const { account, template } = templateBy(this.#sim, templateId);
    return decideTemplate(this.#sim, account, template, input);
  }

  changeQuality(templateId: string, input: QualityInput): TemplateReported {
    const { account, template } = templateBy(this.#sim, templateId);
    return changeQuality(this.#sim, account, template, input);
  }

  /** The quality falls to RED: paused, longer the second time, disabled the third. */
  lowerQuality(templateId: string): { id: string; status: string } {
    const { account, template } = templateBy(this.#sim, templateId);
    return { id: template.id, status: lowerQuality(this.#sim, account, template) };
  }

  changeCategory(templateId: string, input: CategoryInput): TemplateReported {
    const { account, template } = templateBy(this.#sim, templateId);
    return changeCategory(this.#sim, account, template, input);
  }

  changeComponents(templateId: string, input: ComponentsInput = {}): TemplateReported {
    const { account, template } = templateBy(this.#sim, templateId);
    return changeComponents(this.#sim, account, template, input);
  }

  accountEvent(input: AccountEventInput): Reported {
    return emitAccountEvent(this.#sim, accountBy(this.#sim, input.waba_id), input);
  }

  /** Sets the messaging limit of the account's portfolio, and reports it unless `reported` is false. */
  setMessagingLimit(wabaId: string, limit: string, reported = true): void {
    const account = accountBy(this.#sim, wabaId);
    this.#sim.world.setMessagingLimit(account.businessId, limit);
    const value = capabilityOf(this.#sim, limit);
    if (reported) emitAccountEvent(this.#sim, account, { waba_id: wabaId, field: "business_capability_update", value });
  }

  /** Sends a callback as it was returned by another call, perhaps later, again or altered; nothing else happens. */
  sendUpdate(update: ReportedUpdate): { reported: boolean } {
    return { reported: report(this.#sim, accountBy(this.#sim, update.waba_id), update) };
  }
}
