import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../../db/batched.ts";
import { CommitUnknown } from "../../../db/database.ts";
import type { LaneClaim, QueueRow } from "../../../lanes/kind.ts";
import { pause } from "../../../lib/clock.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import type { LaneSender } from "../../accounts/numbers/senders.ts";
import { Reservations } from "../../limits/reservations.ts";
import type { ProviderUploads } from "../../media/provider-uploads.ts";
import { errorOfProvider, type MessageError } from "../message-error.ts";
import { beginSends, type IntentAnswer } from "./dispatch.store.ts";

/** The pause before it is asked again whether an attempt was begun. */
const ASK_AGAIN_MS = 200;

/**
 * What became of asking for an attempt. `unwritten`: whether it was begun will not be known here, and nothing was written.
 * `uploading`: its media is not at the provider yet, ask `until` then; `media_refused`: the provider does not take it.
 * `waits`: the messaging limit has no room for the recipient `until` then (milliseconds). `again`: nothing was begun.
 */
type Begun =
  | (IntentAnswer & { outcome: Exclude<IntentAnswer["outcome"], "uncounted" | "needs_media"> })
  | { outcome: "unwritten" | "again" }
  | { outcome: "waits"; until: number }
  | { outcome: "uploading"; until: number }
  | { outcome: "media_refused"; error: MessageError };

type Uncounted = IntentAnswer & { outcome: "uncounted" };

/** Of a row: its number, where that is known, and the portfolio of that, where it has a messaging limit. */
type Of = { sender: LaneSender | undefined; portfolio: string | null };

/** Each round has uploaded what the one before it lacked. */
const MOST_UPLOAD_ROUNDS = 3;

/**
 * Begins attempts. What takes time is done before, so that no attempt outlasts its process by it: media is uploaded, and where the sender's
 * portfolio has a messaging limit, the recipient is counted in it.
 */
export class Intents {
  readonly #app: App;
  readonly #uploads: ProviderUploads;
  readonly #calls: CallsOf<typeof beginSends>;
  readonly #reservations: Reservations;
  readonly #quiet: QuietLog;

  constructor(app: App, uploads: ProviderUploads) {
    const { db, clock, log } = app;
    this.#app = app;
    this.#uploads = uploads;
    this.#calls = new BatchedCalls({ db, clock, fn: beginSends, rests: true, group: (row) => row.workspace_id });
    this.#reservations = new Reservations(app);
    this.#quiet = new QuietLog(log, clock);
  }

  async begin(row: QueueRow, claim: LaneClaim, of: Of): Promise<Begun> {
    const answer = await this.#beginUploaded(row, claim, of);
    if (answer.outcome !== "uncounted") return answer;
    const waitMs = of.portfolio === null ? null : await this.#count(row, of.portfolio);
    if (waitMs === "unknown") return { outcome: "again" };
    if (waitMs !== null) return { outcome: "waits", until: this.#app.clock.now() + waitMs };
    return (await this.#beginUploaded(row, claim, { ...of, portfolio: null })) as Begun; // without a portfolio no row is `uncounted`
  }

  async #beginUploaded(row: QueueRow, claim: LaneClaim, { sender, portfolio }: Of): Promise<Begun | Uncounted> {
    for (let round = 1; ; round++) {
      const answer = await this.#begin(row, claim, portfolio);
      if (answer.outcome !== "needs_media") return answer as Begun | Uncounted;
      if (sender === undefined || round > MOST_UPLOAD_ROUNDS) return { outcome: "again" };
      const missing = Object.entries(answer.files ?? {}).flatMap(([id, known]) => (known === null ? [id] : []));
      const media = await this.#uploads.ready(sender, missing);
      if (media.kind === "refused") return { outcome: "media_refused", error: errorOfProvider(media.error) };
      if (media.kind === "later") return { outcome: "uploading", until: media.at };
    }
  }

  /** Whether a message that ends at its `expires_at` could not be sent because the messaging limit had no room for it. */
  async hasNoRoom(row: QueueRow, portfolio: string | null): Promise<boolean> {
    // Counted for a message that ends now, the person is given back with it.
    return portfolio !== null && typeof (await this.#count(row, portfolio)) === "number";
  }

  /** The provider refused a message of the portfolio for its limit; resolves with the time until which the portfolio counts as full. */
  async refusedUntil(portfolio: string): Promise<number> {
    return this.#app.clock.now() + (await this.#reservations.refused(portfolio));
  }

  async #count(row: QueueRow, portfolio: string): Promise<number | null | "unknown"> {
    try {
      return await this.#reservations.waitFor({
        workspace_id: row.workspaceId,
        message_id: row.itemId,
        portfolio,
      });
    } catch (error) {
      this.#warn(error, row, "a recipient could not be counted in the messaging limit; it is tried again");
      return "unknown";
    }
  }

  // When the commit's result is unknown, the attempt may have begun. The row keeps its recipient until that is known: freed
  // now, the recipient's next message would overtake it.
  async #begin(
    row: QueueRow,
    claim: LaneClaim,
    portfolio: string | null,
  ): Promise<IntentAnswer | { outcome: "unwritten" | "again" }> {
    for (let asked = false; ; ) {
      let intent: IntentAnswer;
      try {
        intent = await this.#calls.submit({
          slot: row.slot,
          seq: row.seq,
          workspace_id: row.workspaceId,
          message_id: row.itemId,
          attempt: row.attempt,
          worker: claim.worker,
          epoch: claim.epoch,
          state: row.state,
          asked,
          recipient: row.key ?? "0",
          joined: claim.joinedWith(row),
          portfolio: portfolio ?? undefined,
        });
      } catch (error) {
        asked ||= error instanceof CommitUnknown;
        if (!asked) {
          this.#warn(error, row, "an attempt could not be begun; it is tried again");
          return { outcome: "again" };
        }
        if (!claim.valid()) return { outcome: "unwritten" };
        await pause(this.#app.clock, ASK_AGAIN_MS);
        continue;
      }
      // The lane is another's by now, but the first call may have begun the attempt.
      return asked && intent.outcome === "no" ? { outcome: "unwritten" } : intent;
    }
  }

  #warn(error: unknown, row: QueueRow, text: string): void {
    this.#quiet.warn(text, { err: error, workspace_id: row.workspaceId, message_id: row.itemId }, text);
  }

  /** Resolves when no attempt is being begun. */
  async drained(): Promise<void> {
    await this.#reservations.drained();
    await this.#calls.drained();
  }
}
