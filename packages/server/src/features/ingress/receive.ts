import type { App } from "../../ctx.ts";
import { batchCalls } from "../../db/batched.ts";
import { CommitUnknown, DatabaseUnavailable } from "../../db/database.ts";
import type { RawAnswer, RawRequest, RawRoute } from "../../http/route.ts";
import { slotOf } from "../../lanes/lane-kinds.ts";
import { newUuid } from "../../lib/ids.ts";
import { type CallbackRow, storeCallbacks } from "./ingress.store.ts";
import { CALLBACK, HANDSHAKE } from "./receive-document.ts";

/** The provider's own limit of a callback. */
const MOST_BYTES = 3 * 1024 * 1024;

/**
 * The provider's door: the handshake, and callbacks. Nothing is understood here: signature, commit of the raw
 * bytes, 200. What the database cannot take now is answered 503, and the provider comes again.
 */
export function createReceive(app: App): { routes: RawRoute[]; stop(): Promise<void> } {
  const { provider, clock, log } = app;
  const batch = batchCalls<CallbackRow, { id: string }>({
    db: app.db,
    clock,
    fn: storeCallbacks,
    group: (row) => String(row.lane),
  });

  async function callback(request: RawRequest): Promise<RawAnswer> {
    const signature = request.headers["x-hub-signature-256"];
    if (!provider.verifySignature(request.body, typeof signature === "string" ? signature : undefined)) {
      log.warn(
        { request_id: request.requestId, ip: request.ip, bytes: request.body.length },
        "callback with a missing or wrong signature",
      );
      return text(401, "the signature is missing or wrong");
    }
    const id = newUuid(clock.now());
    const lane = laneOf(provider.routingKey(request.body) ?? id);
    try {
      await batch.submit({ id, lane, body: request.body.toString("base64") });
    } catch (error) {
      log.error(
        { err: error, request_id: request.requestId },
        "a callback could not be stored; the provider will send it again",
      );
      if (error instanceof DatabaseUnavailable || error instanceof CommitUnknown) return text(503, "not stored");
      throw error;
    }
    app.notifier.hint("ingest", [slotOf(lane)]);
    return { ...text(200, "ok"), resource: { type: "callback", id } };
  }

  return {
    routes: [
      {
        method: "GET",
        path: "/webhooks/receive",
        summary: "The provider's verification handshake",
        document: HANDSHAKE,
        maxBytes: 1,
        handle(request) {
          const challenge = provider.answerHandshake(request.query);
          return Promise.resolve(challenge === null ? text(403, "the verify token is wrong") : text(200, challenge));
        },
      },
      {
        method: "POST",
        path: "/webhooks/receive",
        summary: "The provider's callbacks",
        document: CALLBACK,
        maxBytes: MOST_BYTES,
        handle: callback,
      },
    ],
    stop: () => batch.drained(),
  };
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
