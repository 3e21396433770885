import { type Event, webhookTestHeaders } from "@waypost/sdk";
import { VERSION } from "../version.ts";
import { rest } from "./follow.ts";

/** As endpoints have it by default. */
const DEADLINE_MS = 15_000;
/** Of an event that the receiver answers without success: who develops one sees why, and the later ones do not wait for long. */
const MOST_ATTEMPTS = 3;
const BETWEEN_ATTEMPTS_MS = 1_000;
/** The receiver is not running: nothing was posted. */
const NOT_THERE = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

export type ForwarderOptions = {
  url: string;
  secret: string;
  signal: AbortSignal;
  /** Called after each attempt. */
  report(attempt: Attempt): void;
};
/** `result`: a status, or what the connection failed with. */
export type Attempt = { kind: string; event_id: string; result: string; duration_ms: number };

type Outcome = { kind: "answered" | "failed" | "not_there"; text: string; isSuccess: boolean };

/** Posts events to one receiver as the gateway delivers them: the same body and headers. */
export class Forwarder {
  readonly #options: ForwarderOptions;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the receiver has taken the event, has failed three times, or the signal came. While the receiver is not running the
   * event waits for it.
   */
  async forward(event: Event): Promise<void> {
    const { report, signal } = this.#options;
    let isWaiting = false;
    for (let attempt = 1; !signal.aborted; ) {
      const startedAt = performance.now();
      const outcome = await this.#post(event, attempt);
      if (signal.aborted) return;
      const duration_ms = Math.round(performance.now() - startedAt);
      const isAgain = outcome.kind === "not_there" && isWaiting;
      if (!isAgain) report({ kind: event.kind, event_id: event.id, result: outcome.text, duration_ms });
      if (outcome.isSuccess) return;
      isWaiting = outcome.kind === "not_there";
      if (!isWaiting) {
        if (attempt === MOST_ATTEMPTS) return;
        attempt += 1;
      }
      await rest(BETWEEN_ATTEMPTS_MS, signal);
    }
  }

  async #post(event: Event, attempt: number): Promise<Outcome> {
    const { url, secret, signal } = this.#options;
    const body = JSON.stringify(event);
    // There is no delivery at the gateway: its id stands for one.
    const deliveryId = event.id.replace(/^evt_/, "dlv_");
    const signed = await webhookTestHeaders(body, secret, { eventId: event.id, kind: event.kind, deliveryId, attempt });
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { ...signed, "user-agent": `Waypost/${VERSION}` },
        body,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
      });
      await response.body?.cancel();
      return { kind: "answered", text: String(response.status), isSuccess: response.ok };
    } catch (error) {
      const code = codeOf(error);
      return { kind: NOT_THERE.has(code) ? "not_there" : "failed", text: code, isSuccess: false };
    }
  }
}

/** Such as `ECONNREFUSED` or `TimeoutError`. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
