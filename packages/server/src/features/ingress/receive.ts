import type { App } from "../../ctx.ts";
import { BatchedCalls, type CallsOf, isPassing } from "../../db/batched.ts";
import type { RawAnswer, RawHead, RawRequest, RawRoute } from "../../http/route.ts";
import { slotOf } from "../../lanes/lane-kinds.ts";
import { newUuid } from "../../lib/ids.ts";
import { storeCallbacks } from "./ingress.store.ts";
import { CALLBACK, HANDSHAKE } from "./receive-document.ts";
import type { Received, TakeAtOnce } from "./take-at-once.ts";

/** The provider's own limit for a callback. */
const MOST_BYTES = 3 * 1024 * 1024;

const WAYS = ["at_once", "queue", "unsigned", "not_stored"] as const;

/**
 * The provider's HTTP endpoint: the handshake, and callbacks. Of a signed callback the raw bytes are committed before the 200:
 * together with its effect where `TakeAtOnce` takes it, else with a row of the queue. When the database cannot store one the
 * answer is 503, and the provider sends it again.
 */
export class Receive {
  readonly #app: App;
  readonly #atOnce: TakeAtOnce;
  readonly #batch: CallsOf<typeof storeCallbacks>;
  readonly #count: (of: { way: (typeof WAYS)[number] }) => void;

  constructor(app: App, atOnce: TakeAtOnce) {
    this.#app = app;
    this.#atOnce = atOnce;
    this.#batch = new BatchedCalls({
      db: app.db,
      clock: app.clock,
      fn: storeCallbacks,
      group: (row) => String(row.lane),
    });
    this.#count = app.metrics.counter({
      name: "waypost_callbacks_total",
      help: "Callbacks of the provider by the way they took: at_once, queue, unsigned (answered 401), not_stored (503 or 500; the provider repeats them).",
      labels: { way: WAYS },
    });
  }

  routes(): RawRoute[] {
    return [
      {
        method: "GET",
        path: "/webhooks/receive",
        summary: "The provider's verification handshake",
        document: HANDSHAKE,
        maxBytes: 1,
        handle: (request) => Promise.resolve(this.#handshake(request)),
      },
      {
        method: "POST",
        path: "/webhooks/receive",
        summary: "The provider's callbacks",
        document: CALLBACK,
        maxBytes: MOST_BYTES,
        refuse: (head) => (this.#app.provider.isSignature(signatureOf(head)) ? null : this.#unsigned(head, 0)),
        handle: (request) => this.#callback(request),
      },
    ];
  }

  #handshake(request: RawRequest): RawAnswer {
    const challenge = this.#app.provider.answerHandshake(request.query);
    return challenge === null ? text(403, "the verify token is wrong") : text(200, challenge);
  }

  async #callback(request: RawRequest): Promise<RawAnswer> {
    const { provider, clock, log } = this.#app;
    if (!provider.verifySignature(request.body, signatureOf(request)))
      return this.#unsigned(request, request.body.length);
    const receivedAt = clock.now();
    const id = newUuid(receivedAt);
    const key = provider.routingKey(request.body);
    const callback = { id, lane: laneOf(key ?? id), key, body: request.body, receivedAt };
    try {
      const taken = await this.#atOnce.take(callback);
      if (!taken) await this.#queue(callback);
      this.#count({ way: taken ? "at_once" : "queue" });
    } catch (error) {
      this.#count({ way: "not_stored" });
      log.error(
        { err: error, request_id: request.requestId },
        "a callback could not be stored; the provider will send it again",
      );
      if (isPassing(error)) return text(503, "not stored");
      throw error;
    }
    return { resource: { type: "callback", id }, ...text(200, "ok") };
  }

  #unsigned({ requestId, ip }: RawHead, bytes: number): RawAnswer {
    this.#count({ way: "unsigned" });
    this.#app.log.warn({ request_id: requestId, ip, bytes }, "callback with a missing or wrong signature");
    return text(401, "the signature is missing or wrong");
  }

  async #queue({ id, lane, body }: Received): Promise<void> {
    await this.#batch.submit({ id, lane, body: body.toString("base64") });
    this.#app.notifier.hint("ingest", [slotOf(lane)]);
  }

  /** Resolves when no callback is being stored; call it after the HTTP server has stopped. */
  stop(): Promise<void> {
    return this.#batch.drained();
  }
}

function signatureOf({ headers }: RawHead): string | undefined {
  const signature = headers["x-hub-signature-256"];
  return typeof signature === "string" ? signature : undefined;
}

const text = (status: number, body: string): RawAnswer => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
});

/** FNV-1a over the routing key: one lane, and so one writer, for each number. */
function laneOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash & 0x7fffffff;
}
