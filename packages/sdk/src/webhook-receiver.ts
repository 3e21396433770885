import { headerOf, type SignatureSource, verifyWebhook, WebhookVerificationError } from "./webhook.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** Events have at most 256 KiB. */
const LARGEST_BODY_BYTES = 512 * 1024;

/** What the headers say of a delivery. An event may come more than once, and each time has the same `eventId`. */
export type ReceivedDelivery = { eventId: string; deliveryId: string; attempt: number; isReplay: boolean };

type Secrets = string | readonly string[];

export type WebhookReceiverOptions = {
  /** The endpoint's secret, several while they are rotated, or a function that gives them. */
  secret: Secrets | (() => Secrets | Promise<Secrets>);
  /**
   * Takes an event. The answer is 204 once it resolves, and 500 when it throws: then the gateway tries again later. It should take less
   * than the endpoint's `timeout_seconds`; longer work belongs into a queue. To do nothing twice, remember `delivery.eventId` in the
   * transaction of what is done.
   */
  onEvent(event: WebhookEvent, delivery: ReceivedDelivery): void | Promise<void>;
  /** Called with what `onEvent` threw, and with each refusal. The default says nothing. */
  onError?(error: unknown): void;
  /** Default 300. */
  toleranceSeconds?: number;
  /** Default 512 KiB. */
  maxBytes?: number;
};

type Answer = { status: number; text: string; headers?: Record<string, string> };
type Chunks = AsyncIterable<Uint8Array>;
/** The next part of a body that arrives. Not an iterable: to leave a loop over a request early would cut its connection. */
type NextChunk = () => Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>;

/** Of `http.IncomingMessage` and Express what is used here. `body`, `rawBody`: bytes that a parser has kept. */
type NodeRequest = {
  method?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body?: unknown;
  rawBody?: unknown;
};
/** Of `http.ServerResponse` the same. */
type NodeResponse = {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
};
type FastifyRequest = { headers: NodeRequest["headers"]; body: unknown };
type FastifyReply = {
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(text: string): unknown;
};
type FastifyScope = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(type: string, options: unknown, parser: unknown): unknown;
  post(path: string, options: unknown, handler: unknown): unknown;
};

/**
 * Receives deliveries in your application: reads the raw body within a bound, verifies it, and answers when your handler is done: 204;
 * 401 for what Waypost did not send now, 413 for what is too large, 405 for another method, 500 where the handler threw.
 *
 * ```ts
 * const hooks = new WebhookReceiver({ secret, onEvent: async (event) => { … } });
 * createServer(hooks.node);                  // Node
 * app.post("/hooks", hooks.express);         // Express, ahead of express.json()
 * fastify.register(hooks.fastify("/hooks")); // Fastify
 * app.post("/hooks", hooks.hono);            // Hono
 * Deno.serve(hooks.fetch);                   // what takes a Request and gives a Response
 * ```
 */
export class WebhookReceiver {
  readonly #options: WebhookReceiverOptions;
  readonly #maxBytes: number;

  constructor(options: WebhookReceiverOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? LARGEST_BODY_BYTES;
  }

  /** A request listener of `http.createServer`. */
  readonly node = (request: NodeRequest & Chunks, response: NodeResponse): void => void this.#serve(request, response);

  /** A handler of an Express route. Put it ahead of `express.json()`, or behind `express.raw({ type: () => true })`. */
  readonly express = this.node;

  /** A plugin of Fastify with the route `path`, in a scope of its own, which keeps bodies as they are. */
  fastify(path: string): (scope: FastifyScope) => Promise<void> {
    return async (scope) => {
      scope.removeAllContentTypeParsers();
      const keep = (_request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void): void =>
        done(null, body);
      scope.addContentTypeParser("*", { parseAs: "buffer" }, keep);
      scope.post(path, { bodyLimit: this.#maxBytes }, async (request: FastifyRequest, reply: FastifyReply) => {
        const { status, text, headers } = await this.#take(
          "POST",
          request.headers,
          () => bytesIn(request.body) ?? NONE,
        );
        reply.code(status);
        reply.headers({ "content-type": "text/plain", ...headers });
        return reply.send(text);
      });
    };
  }

  /** A handler of Hono. */
  readonly hono = (context: { req: { raw: Request } }): Promise<Response> => this.fetch(context.req.raw);

  /** What takes a `Request` and gives a `Response`: Deno, Bun, workers, routes of Next.js. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const reader = request.body?.getReader();
    const body = () => (reader === undefined ? NONE : this.#read(() => reader.read()));
    const { status, text, headers } = await this.#take(request.method, request.headers, body);
    if (status === 413) void reader?.cancel().catch(() => undefined);
    return new Response(status === 204 ? null : text, { status, ...(headers === undefined ? {} : { headers }) });
  };

  /** Never rejects. */
  async #serve(request: NodeRequest & Chunks, response: NodeResponse): Promise<void> {
    const { status, text, headers } = await this.#take(request.method, request.headers, () => this.#bodyOf(request));
    // The rest of a body that is not read would be taken for the next request.
    const close: Record<string, string> = status === 413 ? { connection: "close" } : {};
    response.writeHead(status, { "content-type": "text/plain", ...headers, ...close });
    response.end(text);
  }

  async #take(
    method: string | undefined,
    headers: Exclude<SignatureSource, string>,
    body: () => Uint8Array | null | Promise<Uint8Array | null>,
  ): Promise<Answer> {
    const { secret, onEvent, toleranceSeconds } = this.#options;
    if (method !== "POST") return { status: 405, text: "POST", headers: { allow: "POST" } };
    try {
      const bytes = await body();
      if (bytes === null || bytes.length > this.#maxBytes) return { status: 413, text: "too large" };
      const secrets = typeof secret === "function" ? await secret() : secret;
      const options = toleranceSeconds === undefined ? {} : { toleranceSeconds };
      const event = await verifyWebhook(bytes, headers, secrets, options);
      await onEvent(event, deliveryOf(event, headers));
      return { status: 204, text: "" };
    } catch (error) {
      this.#options.onError?.(error);
      return error instanceof WebhookVerificationError
        ? { status: 401, text: error.fault }
        : { status: 500, text: "error" };
    }
  }

  #bodyOf(request: NodeRequest & Chunks): Uint8Array | Promise<Uint8Array | null> {
    const kept = bytesIn(request.rawBody) ?? bytesIn(request.body);
    if (kept !== null) return kept;
    if (request.body !== undefined)
      throw new TypeError("the body was parsed already, and its bytes are gone: put the receiver ahead of the parser");
    const chunks = request[Symbol.asyncIterator]();
    return this.#read(() => chunks.next());
  }

  /** The bytes; null when there are more than the bound. */
  async #read(next: NextChunk): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (let chunk = await next(); chunk.done !== true; chunk = await next()) {
      if (chunk.value === undefined) continue;
      length += chunk.value.length;
      if (length > this.#maxBytes) return null;
      parts.push(chunk.value);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}

const NONE = new Uint8Array();

const bytesIn = (value: unknown): Uint8Array | null => (value instanceof Uint8Array ? value : null);

function deliveryOf(event: WebhookEvent, headers: Exclude<SignatureSource, string>): ReceivedDelivery {
  return {
    // The signed one: headers of `X-Service-Signature` are not.
    eventId: event.id,
    deliveryId: headerOf(headers, "x-service-delivery"),
    attempt: Number(headerOf(headers, "x-service-attempt")) || 1,
    isReplay: headerOf(headers, "x-service-replay") === "true",
  };
}
