import type { App } from "../../../ctx.ts";
import type { LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { ERROR_CLASSES, isOfAccount, ruleOf } from "../../../provider/error-table.ts";
import type { ErrorClass, MessageErrorCode, ProviderError } from "../../../provider/provider.ts";
import type { LaneSender, Senders } from "../../accounts/numbers/senders.ts";
import type { Templates } from "../../templates/cache.ts";
import type { RefusedSends } from "../../templates/refused-sends.ts";
import { type RefusalRow, selectRefusalRows } from "./attempt.store.ts";
import type { IntentAnswer } from "./dispatch.store.ts";
import type { MarketingStops } from "./marketing-stops.ts";
import { completedAttempt, refusedTemplate } from "./refused-template.ts";
import { pauseAfter } from "./retry.ts";

/** Longer than the settings of a lane are used without asking again. */
const WITHOUT_ACCESS_MS = 5_000;

/** An attempt that the provider has refused. */
export type RefusedAttempt = {
  row: QueueRow;
  attempt: number;
  intent: IntentAnswer;
  sender: LaneSender;
  error: ProviderError;
};

export type RefusalDeps = {
  senders: Senders;
  templates: Templates;
  refusedSends: RefusedSends;
  marketing: MarketingStops;
};

/** What follows a refusal beside its message's own outcome, by the table of the provider's codes. */
export class Refusals {
  readonly #app: App;
  readonly #senders: Senders;
  readonly #templates: Templates;
  readonly #refusedSends: RefusedSends;
  readonly #marketing: MarketingStops;
  readonly #quiet: QuietLog;

  constructor(app: App, { senders, templates, refusedSends, marketing }: RefusalDeps) {
    this.#app = app;
    this.#senders = senders;
    this.#templates = templates;
    this.#refusedSends = refusedSends;
    this.#marketing = marketing;
    this.#quiet = new QuietLog(app.log, app.clock);
  }

  /** When the message is tried again, in milliseconds since the epoch; null: it fails. Never rejects. */
  async follow(refused: RefusedAttempt, claim: LaneClaim): Promise<number | null> {
    const { intent, sender, error } = refused;
    const { workspaceId, businessAccountId } = sender;
    if (isOfAccount(error.class)) this.#senders.reportAccountTrouble(sender, error);
    const template = refusedTemplate(intent, error);
    if (template !== null) {
      if ((await this.completed(intent, sender)) !== intent) return this.#app.clock.now();
      this.#refusedSends.report({ ...template, workspaceId, businessAccountId });
    }
    const { stops } = ERROR_CLASSES[error.class];
    if (stops === "number") claim.slow();
    // Until the lane's settings say that the account has no access: the messages behind this one would be refused too.
    if (stops === "account") claim.pause(WITHOUT_ACCESS_MS);
    if (stops === "marketing") {
      sender.marketingStopped = true;
      const { phoneNumberId } = sender;
      return await this.#marketing.refused({ workspaceId, phoneNumberId, messageId: refused.row.itemId });
    }
    const before = await this.#refusalsBefore(refused);
    if (error.class === "access" && hadAccess(before, sender)) return null;
    // A fault of this program is none of the provider's classes; its attempts, and all where they are not known, count as like this one.
    const isOurs = error.class === "transient" && error.provider === null;
    const refusals = before === null || isOurs ? refused.attempt : refusalsOf(error.class, refused.attempt, before) + 1;
    const pauseMs = pauseAfter(error.class, refusals, this.#app.random());
    return pauseMs === null ? null : this.#app.clock.now() + pauseMs;
  }

  /**
   * The attempt as it is sent after a refusal: with the buttons that its template had not, or that nothing added, when it was accepted.
   * Never rejects.
   */
  async completed(intent: IntentAnswer, sender: LaneSender): Promise<IntentAnswer> {
    if (intent.type !== "template") return intent;
    try {
      return await completedAttempt(this.#templates, sender, intent);
    } catch (err) {
      const { workspaceId } = sender;
      this.#quiet.warn(
        "template",
        { err, workspace_id: workspaceId },
        "a template could not be read; it is sent as it is",
      );
      return intent;
    }
  }

  /** The latest first; null when the database is away. */
  async #refusalsBefore({ row, attempt }: RefusedAttempt): Promise<RefusalRow[] | null> {
    if (attempt === 1) return [];
    const { workspaceId, itemId } = row;
    try {
      return await this.#app.db.read(workspaceId, (sql) => selectRefusalRows(sql, workspaceId, itemId, attempt));
    } catch (err) {
      this.#quiet.warn(
        "refusals",
        { err, workspace_id: workspaceId, message_id: itemId },
        "earlier refusals of a message could not be read; it waits as if there had been the most",
      );
      return null;
    }
  }
}

/**
 * Whether the provider let the account's token in after it had refused this message for that: the refusal is the message's own, unless
 * the number can no longer send (others that are sent by it bring `sender` up to date).
 */
function hadAccess(before: readonly RefusalRow[] | null, { usable, accountCheckedAt }: LaneSender): boolean {
  const last = before?.find((refusal) => classOf(refusal) === "access");
  return usable && last !== undefined && last.completed_at.getTime() < accountCheckedAt;
}

// Each class has its own bound: a message that was throttled for hours has not used up what a fault of the provider is retried for.
function refusalsOf(class_: ErrorClass, attempt: number, before: readonly RefusalRow[]): number {
  const isOther = (refusal: RefusalRow): boolean => classOf(refusal) !== class_;
  if (class_ !== "throttle_pair") return before.length - before.filter(isOther).length;
  // Of a pair those that follow each other: an attempt that failed for another reason was not too early for the provider.
  const end = before.findIndex((refusal, index) => isOther(refusal) || refusal.attempt !== attempt - 1 - index);
  return end === -1 ? before.length : end;
}

/** What was tried again of answers without a body of the provider's (`statusRefusal`), by our code. */
const WITHOUT_BODY: Partial<Record<MessageErrorCode, ErrorClass>> = {
  rate_limited: "throttle_number",
  account_disconnected: "access",
};

// It was tried again: a code that is not in the table was marked as passing, and one that is final there said that there is no such number.
function classOf({ code, provider_code }: RefusalRow): ErrorClass {
  if (provider_code === null) return WITHOUT_BODY[code] ?? "unreachable";
  // Whatever else it said, the provider answered 429 to what is kept as `rate_limited`.
  const httpStatus = code === "rate_limited" ? 429 : null;
  const { class: class_ } = ruleOf(provider_code, { httpStatus, isTransient: true });
  return class_ === "permanent" ? "access" : class_;
}
