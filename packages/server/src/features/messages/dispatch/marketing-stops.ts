import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../../db/batched.ts";
import { QuietLog } from "../../../lib/quiet-log.ts";
import { hintCommitted } from "../../events/event.ts";
import { holdMarketing, judgeMarketing } from "./marketing.store.ts";

/** A message of a number. */
type OfNumber = { workspaceId: string; phoneNumberId: string; messageId: string };

export type Held = { verdict: "go" | "probe" } | { verdict: "wait"; until: number };

/** A refusal that could not be recorded is met again by the next message: this one is tried again with it. */
const UNRECORDED_MS = 60_000;

/**
 * Numbers whose marketing the provider has stopped (131048). Their marketing templates wait; one message is tried after 1 h, and
 * after twice as long each time that it is refused, up to 24 h. When one is accepted all go on. What stops a number is in its row:
 * one message is tried at a time, whichever process sends it.
 */
export class MarketingStops {
  readonly #app: App;
  readonly #holds: CallsOf<typeof holdMarketing>;
  readonly #quiet: QuietLog;

  constructor(app: App) {
    const { db, clock, log } = app;
    this.#app = app;
    this.#holds = new BatchedCalls({ db, clock, fn: holdMarketing, group: (row) => row.workspace_id });
    this.#quiet = new QuietLog(log, clock);
  }

  /** Whether a message of a stopped number may be sent now. Null when the database is away. */
  async hold(message: OfNumber): Promise<Held | null> {
    try {
      const { verdict, until } = await this.#holds.submit(rowOf(message));
      if (verdict !== "wait") return { verdict };
      return { verdict, until: until?.getTime() ?? this.#app.clock.now() };
    } catch (err) {
      this.#quiet.warn(
        "hold",
        { err, ...fieldsOf(message) },
        "it could not be asked whether a number's marketing is stopped",
      );
      return null;
    }
  }

  /**
   * The provider refused a message as spam. When it is tried again: at the end of the stop to the millisecond, as those that wait
   * behind it, so that they keep their order; null: it is no marketing, and fails.
   */
  async refused(message: OfNumber): Promise<number | null> {
    const answer = await this.#judge(message, true);
    if (answer === null) return this.#app.clock.now() + UNRECORDED_MS;
    return answer.is_marketing && answer.until !== null ? answer.until.getTime() : null;
  }

  /** The provider accepted the message that was tried. */
  async accepted(message: OfNumber): Promise<void> {
    await this.#judge(message, false);
  }

  async #judge(message: OfNumber, refused: boolean) {
    const { db, clock, notifier, log } = this.#app;
    try {
      const answers = await db.call(judgeMarketing, [{ ...rowOf(message), refused }], clock.now());
      hintCommitted(notifier, answers);
      const [answer] = answers;
      if (answer?.changed)
        log.warn(
          fieldsOf(message),
          refused ? "a number's marketing is stopped as spam" : "a number's marketing goes on",
        );
      return answer ?? null;
    } catch (err) {
      this.#quiet.warn("judge", { err, ...fieldsOf(message) }, "a stop of a number's marketing could not be recorded");
      return null;
    }
  }

  /** Resolves when nothing is being asked. */
  drained(): Promise<void> {
    return this.#holds.drained();
  }
}

const rowOf = ({ workspaceId, phoneNumberId, messageId }: OfNumber) => ({
  workspace_id: workspaceId,
  phone_number_id: phoneNumberId,
  message_id: messageId,
});

const fieldsOf = ({ workspaceId, phoneNumberId, messageId }: OfNumber) => ({
  workspace_id: workspaceId,
  phone_number_id: phoneNumberId,
  message_id: messageId,
});
