import type { App } from "../../../ctx.ts";
import type { LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { ERROR_CLASSES, isOfAccount } from "../../../provider/error-table.ts";
import type { ProviderError } from "../../../provider/provider.ts";
import type { LaneSender, Senders } from "../../accounts/senders.ts";
import type { RefusedSends } from "../../templates/refused-sends.ts";
import { selectRefusalsInARow } from "./attempt.store.ts";
import type { IntentAnswer } from "./dispatch.store.ts";
import { refusedTemplate } from "./refused-template.ts";
import { pauseAfter } from "./retry.ts";

/** An attempt that the provider has refused. */
export type RefusedAttempt = {
  row: QueueRow;
  attempt: number;
  intent: IntentAnswer;
  sender: LaneSender;
  error: ProviderError;
};

export type RefusalDeps = { senders: Senders; refusedSends: RefusedSends };

/** What follows a refusal beside its message's own outcome, by the table of the provider's codes. */
export class Refusals {
  readonly #app: App;
  readonly #senders: Senders;
  readonly #refusedSends: RefusedSends;
  readonly #quiet: QuietLog;

  constructor(app: App, { senders, refusedSends }: RefusalDeps) {
    this.#app = app;
    this.#senders = senders;
    this.#refusedSends = refusedSends;
    this.#quiet = new QuietLog(app.log, app.clock);
  }

  /** Milliseconds until the message is tried again; null: it fails. Never rejects. */
  async follow(refused: RefusedAttempt, claim: LaneClaim): Promise<number | null> {
    const { intent, sender, error } = refused;
    const { workspaceId, businessAccountId } = sender;
    if (isOfAccount(error.class)) this.#senders.reportAccountTrouble(sender, error);
    const template = refusedTemplate(intent, error.code);
    if (template !== null) this.#refusedSends.report({ ...template, workspaceId, businessAccountId });
    const pause = pauseAfter(error.class, await this.#refusals(refused), this.#app.random());
    if (ERROR_CLASSES[error.class].stops === "number") claim.slow();
    return pause;
  }

  // Of a pair those that follow each other count: an attempt that failed for another reason was not too early for the provider.
  async #refusals({ row, attempt, error }: RefusedAttempt): Promise<number> {
    if (error.class !== "throttle_pair" || attempt === 1) return attempt;
    const { workspaceId, itemId } = row;
    try {
      const code = error.provider?.code ?? 0;
      const before = await this.#app.db.read(workspaceId, (sql) =>
        selectRefusalsInARow(sql, workspaceId, itemId, { before: attempt, code }),
      );
      return before + 1;
    } catch (err) {
      this.#quiet.warn(
        "refusals",
        { err, workspace_id: workspaceId, message_id: itemId },
        "earlier refusals of a message could not be read; all its attempts count as refused",
      );
      return attempt;
    }
  }
}
