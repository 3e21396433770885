import type { App } from "../../ctx.ts";
import type { Log } from "../../lib/log.ts";

/**
 * Messages that were sent twice, as far as the provider's answers and statuses prove it: two of its ids name one message. Each
 * further id is counted once, by the process that learned of it; the audit log has the same, from the same transaction.
 */
export class SentTwice {
  readonly #log: Log;
  readonly #count: (of: Record<never, never>) => void;

  constructor({ log, metrics }: Pick<App, "log" | "metrics">) {
    this.#log = log;
    this.#count = metrics.counter({
      name: "waypost_sent_twice_total",
      help: "Messages that turned out to have two ids at the provider: each went out twice.",
      labels: {},
    });
  }

  note(workspaceId: string | null, messageId: string | null): void {
    this.#count({});
    const fields = { workspace_id: workspaceId, message_id: messageId };
    this.#log.error(fields, "a message has two provider ids: it was sent twice");
  }
}
