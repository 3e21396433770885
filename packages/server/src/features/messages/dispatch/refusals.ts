import type { App } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import type { LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { ERROR_CLASSES, isOfAccount } from "../../../provider/error-table.ts";
import type { ProviderError } from "../../../provider/provider.ts";
import type { LaneSender, Senders } from "../../accounts/senders.ts";
import type { RefusedSends } from "../../templates/refused-sends.ts";
import { selectAttemptEnd, selectRefusalsInARow } from "./attempt.store.ts";
import type { IntentAnswer } from "./dispatch.store.ts";
import type { MarketingStops } from "./marketing-stops.ts";
import { refusedTemplate } from "./refused-template.ts";
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

export type RefusalDeps = { senders: Senders; refusedSends: RefusedSends; marketing: MarketingStops };

/** What follows a refusal beside its message's own outcome, by the table of the provider's codes. */
export class Refusals {
  readonly #app: App;
  readonly #senders: Senders;
  readonly #refusedSends: RefusedSends;
  readonly #marketing: MarketingStops;
  readonly #quiet: QuietLog;

  constructor(app: App, { senders, refusedSends, marketing }: RefusalDeps) {
    this.#app = app;
    this.#senders = senders;
    this.#refusedSends = refusedSends;
    this.#marketing = marketing;
    this.#quiet = new QuietLog(app.log, app.clock);
  }

  /** Milliseconds until the message is tried again; null: it fails. Never rejects. */
  async follow(refused: RefusedAttempt, claim: LaneClaim): Promise<number | null> {
    const { intent, sender, error } = refused;
    const { workspaceId, businessAccountId } = sender;
    if (isOfAccount(error.class)) this.#senders.reportAccountTrouble(sender, error);
    const template = refusedTemplate(intent, error.code);
    if (template !== null) this.#refusedSends.report({ ...template, workspaceId, businessAccountId });
    const { stops } = ERROR_CLASSES[error.class];
    if (stops === "number") claim.slow();
    // Until the lane's settings say that the account has no access: the messages behind this one would be refused too.
    if (stops === "account") claim.pause(WITHOUT_ACCESS_MS);
    if (stops === "marketing") {
      sender.marketingStopped = true;
      const { phoneNumberId } = sender;
      return await this.#marketing.refused({ workspaceId, phoneNumberId, messageId: refused.row.itemId });
    }
    if (error.class === "access" && (await this.#hadAccess(refused))) return null;
    return pauseAfter(error.class, await this.#refusals(refused), this.#app.random());
  }

  /** Whether the provider let the account's token in after it had refused this message before: the refusal is the message's own. */
  async #hadAccess({ row, attempt, sender }: RefusedAttempt): Promise<boolean> {
    if (attempt === 1 || sender.accountCheckedAt === 0) return false;
    const { workspaceId, itemId } = row;
    const before = await this.#read(row, (sql) => selectAttemptEnd(sql, workspaceId, itemId, attempt - 1));
    return before !== null && before < sender.accountCheckedAt;
  }

  // Of a pair those that follow each other count: an attempt that failed for another reason was not too early for the provider.
  async #refusals({ row, attempt, error }: RefusedAttempt): Promise<number> {
    if (error.class !== "throttle_pair" || attempt === 1) return attempt;
    const { workspaceId, itemId } = row;
    const code = error.provider?.code ?? 0;
    const before = await this.#read(row, (sql) =>
      selectRefusalsInARow(sql, workspaceId, itemId, { before: attempt, code }),
    );
    return (before ?? attempt - 1) + 1;
  }

  /** Null when the database is away. */
  async #read<T>({ workspaceId, itemId }: QueueRow, read: (sql: Sql) => Promise<T | null>): Promise<T | null> {
    try {
      return await this.#app.db.read(workspaceId, read);
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
