import type { App } from "../../../ctx.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { ERROR_CLASSES, isOfAccount } from "../../../provider/error-table.ts";
import type { ProviderError } from "../../../provider/provider.ts";
import type { Senders } from "../../accounts/numbers/senders.ts";
import type { ProviderUploads } from "../../media/provider-uploads.ts";
import type { RefusedSends } from "../../templates/refused-sends.ts";
import type { Dispatch } from "../dispatch/dispatch.ts";
import type { MarketingStops } from "../dispatch/marketing-stops.ts";
import { isOfTemplate, refusedTemplate } from "../dispatch/refused-template.ts";
import { type FailedMessage, selectFailedMessage } from "./failed.store.ts";
import type { ProviderEvent } from "./taken-row.ts";

/** Callbacks are repeated for days: an older failure says nothing of how a number is now. */
const RECENT_MS = 15 * 60_000;
/** The pace of a number is measured over about a second, and recovers within half a minute. */
const RECENT_PACE_MS = 60_000;

export type FailureDeps = {
  senders: Senders;
  refusedSends: RefusedSends;
  marketing: MarketingStops;
  dispatch: Dispatch;
  uploads: ProviderUploads;
};

/**
 * Failures that the provider reports after it has accepted a message: what follows a refusal beside the message's own outcome
 * follows them too. An account is only checked, because the report may be about a state that is over.
 */
export class FailedStatuses {
  readonly #app: App;
  readonly #deps: FailureDeps;
  readonly #quiet: QuietLog;
  readonly #looking = new Set<Promise<void>>();

  constructor(app: App, deps: FailureDeps) {
    this.#app = app;
    this.#deps = deps;
    this.#quiet = new QuietLog(app.log, app.clock);
  }

  /** Returns at once and never throws. May be called again with the same failure. */
  report({ workspaceId, phoneNumberId, change }: ProviderEvent): void {
    if (change.kind !== "status" || change.error === null) return;
    const isNow = change.at > this.#app.clock.now() - RECENT_PACE_MS;
    if (ERROR_CLASSES[change.error.class].stops === "number" && isNow) this.#deps.dispatch.slow(phoneNumberId);
    if (!this.#hasConsequence(change.error, change.at)) return;
    const { error, providerMessageId } = change;
    const look = this.#look(workspaceId, phoneNumberId, providerMessageId, error).finally(() =>
      this.#looking.delete(look),
    );
    this.#looking.add(look);
  }

  #hasConsequence(error: ProviderError, at: number): boolean {
    if (isOfTemplate(error.code) || error.code === "media_failed") return true;
    const isRecent = at > this.#app.clock.now() - RECENT_MS;
    return isRecent && (isOfAccount(error.class) || ERROR_CLASSES[error.class].stops === "marketing");
  }

  async #look(
    workspaceId: string,
    phoneNumberId: string,
    providerMessageId: string,
    error: ProviderError,
  ): Promise<void> {
    try {
      const failed = await this.#app.db.read(workspaceId, (sql) =>
        selectFailedMessage(sql, workspaceId, phoneNumberId, providerMessageId),
      );
      if (failed) await this.#follow(workspaceId, phoneNumberId, failed, error);
    } catch (err) {
      this.#quiet.warn("failed status", { err, workspace_id: workspaceId }, "what follows a failure could not be done");
    }
  }

  async #follow(
    workspaceId: string,
    phoneNumberId: string,
    failed: FailedMessage,
    error: ProviderError,
  ): Promise<void> {
    const { senders, refusedSends, marketing, uploads } = this.#deps;
    const account = { workspaceId, businessAccountId: failed.business_account_id };
    const template = refusedTemplate({ type: failed.type, content: JSON.stringify(failed.content) }, error);
    if (template !== null) refusedSends.report({ ...template, ...account });
    // As a problem of the account that is looked into, and no more.
    if (isOfAccount(error.class))
      senders.reportAccountTrouble({ ...account, accountChangedAt: 0 }, { ...error, class: "asset" });
    // Perhaps the provider has forgotten them: the next message has them uploaded once more.
    if (error.code === "media_failed" && failed.media !== null)
      await uploads.forgetAll({ workspaceId, phoneNumberId }, failed.media);
    if (ERROR_CLASSES[error.class].stops === "marketing")
      await marketing.refused({ workspaceId, phoneNumberId, messageId: failed.id });
  }

  /** Resolves when no failure is being looked at. */
  async stop(): Promise<void> {
    await Promise.all(this.#looking);
  }
}
